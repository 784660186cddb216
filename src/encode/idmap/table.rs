//! Requests in flight in one direction: who asked under which id, and which id that is on the other side.

use crate::mcp::Method;
use crate::message::{Id, IdBuf};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry as Place;

use super::{IdMapError, IdMapLimits};

/// The greatest number given as an id: every reader keeps integers up to here exactly (RFC 8259 section 6).
const GREATEST: u64 = (1 << 53) - 1;

/// `A` asks; `E` is what else is remembered of a request.
#[derive(Clone, Debug)]
pub(super) struct Table<A, E> {
    /// The number of the next request. Never given twice, so that a late answer finds nobody.
    next: u64,
    /// By number. Each is in `askers`, too, and the other way round. Boxed: a tree moves what it holds, and these are large.
    entries: BTreeMap<u64, Box<Entry<A, E>>>,
    askers: BTreeMap<A, Asker>,
    /// The bytes of all ids and tokens in `entries`.
    bytes: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Entry<A, E> {
    pub(super) asker: A,
    pub(super) id: IdBuf,
    pub(super) token: Option<IdBuf>,
    pub(super) method: Option<Method>,
    pub(super) more: E,
}

/// The requests of one asker, by its own ids.
#[derive(Clone, Debug)]
struct Asker {
    numbers: BTreeMap<IdBuf, u64>,
    bytes: usize,
}

impl<A, E> Entry<A, E> {
    fn bytes(&self) -> usize {
        self.id.raw().len() + self.token.as_ref().map_or(0, |token| token.raw().len())
    }
}

impl<A: Clone + Ord, E> Table<A, E> {
    pub(super) const fn new() -> Self {
        Self {
            next: 1,
            entries: BTreeMap::new(),
            askers: BTreeMap::new(),
            bytes: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Remembers a request; the number that it has from now on. Changes nothing if it can't.
    pub(super) fn insert(
        &mut self,
        entry: Entry<A, E>,
        (requests_per_asker, bytes_per_asker): (usize, usize),
        limits: &IdMapLimits,
    ) -> Result<u64, IdMapError> {
        let bytes = entry.bytes();
        let number = self.next;
        let is_full = self.entries.len() >= limits.requests
            || self.bytes.saturating_add(bytes) > limits.bytes
            || number > GREATEST;
        let check = |requests_of_asker, bytes_of_asker: usize| {
            if requests_of_asker >= requests_per_asker
                || bytes_of_asker.saturating_add(bytes) > bytes_per_asker
            {
                return Err(IdMapError::ClientFull);
            }
            if is_full {
                return Err(IdMapError::Full);
            }
            Ok(())
        };
        if let Some(asker) = self.askers.get_mut(&entry.asker) {
            let requests = asker.numbers.len();
            match asker.numbers.entry(entry.id.clone()) {
                Place::Occupied(_) => return Err(IdMapError::InFlight),
                Place::Vacant(place) => {
                    check(requests, asker.bytes)?;
                    place.insert(number);
                    asker.bytes += bytes;
                }
            }
        } else {
            check(0, 0)?;
            let numbers = BTreeMap::from([(entry.id.clone(), number)]);
            let asker = Asker { numbers, bytes };
            self.askers.insert(entry.asker.clone(), asker);
        }
        self.next += 1;
        self.bytes += bytes;
        self.entries.insert(number, Box::new(entry));
        Ok(number)
    }

    /// The request of this number.
    pub(super) fn get(&self, number: Id<'_>) -> Option<&Entry<A, E>> {
        self.get_number(number_of(number)?)
    }

    pub(super) fn get_number(&self, number: u64) -> Option<&Entry<A, E>> {
        self.entries.get(&number).map(Box::as_ref)
    }

    /// The number that this is, if a request has it.
    pub(super) fn find(&self, number: Id<'_>) -> Option<u64> {
        number_of(number).filter(|number| self.entries.contains_key(number))
    }

    /// The number of an asker's request.
    pub(super) fn number(&self, asker: &A, id: Id<'_>) -> Option<u64> {
        let asker = self.askers.get(asker)?;
        asker.numbers.get(&IdBuf::from(id)).copied()
    }

    /// Forgets a request.
    pub(super) fn remove(&mut self, number: Id<'_>) -> Option<Entry<A, E>> {
        self.remove_number(number_of(number)?)
    }

    pub(super) fn remove_number(&mut self, number: u64) -> Option<Entry<A, E>> {
        let entry = self.entries.remove(&number)?;
        let bytes = entry.bytes();
        self.bytes -= bytes;
        if let Some(asker) = self.askers.get_mut(&entry.asker) {
            asker.numbers.remove(&entry.id);
            asker.bytes -= bytes;
            if asker.numbers.is_empty() {
                self.askers.remove(&entry.asker);
            }
        }
        Some(*entry)
    }

    /// The numbers of all requests of an asker.
    pub(super) fn numbers_of(&self, asker: &A) -> impl Iterator<Item = u64> + '_ {
        let asker = self.askers.get(asker);
        asker
            .into_iter()
            .flat_map(|asker| asker.numbers.values().copied())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &Entry<A, E>)> {
        self.entries
            .iter()
            .map(|(number, entry)| (*number, entry.as_ref()))
    }

    /// Forgets all; numbers go on.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.askers.clear();
        self.bytes = 0;
    }
}

/// The number that an id is, in the one form in which it was given.
fn number_of(id: Id<'_>) -> Option<u64> {
    let is_canonical = !id.raw().starts_with('-');
    id.as_u64().filter(|_| is_canonical)
}
