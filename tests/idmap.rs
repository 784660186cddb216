//! Ids of many clients to one upstream, and back.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

#[path = "idmap/model.rs"]
mod model;

use rpcslice::encode::{Abandoned, Destination, Framing, IdMap, IdMapError, IdMapLimits, Renames};
use rpcslice::mcp::Method;
use rpcslice::{IdBuf, Message};

fn edited(frame: &str, renames: &Renames) -> String {
    let message = Message::parse(frame.as_bytes()).unwrap();
    let mut out = Vec::new();
    let edit = renames.apply(message.edit()).unwrap();
    edit.write(&mut out, Framing::Body).unwrap();
    String::from_utf8(out).unwrap()
}

/// What a client's message becomes.
fn from_client(map: &mut IdMap<char>, client: char, frame: &str) -> Result<String, IdMapError> {
    let message = Message::parse(frame.as_bytes()).unwrap();
    let renames = map.client_message(&client, &message)?;
    Ok(edited(frame, &renames))
}

/// Who gets a message of the upstream, and as what. `-` is nobody in particular.
fn from_upstream(map: &mut IdMap<char>, frame: &str) -> Result<(char, String), IdMapError> {
    let message = Message::parse(frame.as_bytes()).unwrap();
    let (to, renames) = map.upstream_message(&message)?;
    let to = match to {
        Destination::Client(client) => client,
        Destination::Choose => '?',
        Destination::Unaddressed => '-',
    };
    Ok((to, edited(frame, &renames)))
}

fn to_client(map: &mut IdMap<char>, client: char, frame: &str) -> Result<String, IdMapError> {
    let message = Message::parse(frame.as_bytes()).unwrap();
    let renames = map.upstream_request(&client, &message)?;
    Ok(edited(frame, &renames))
}

fn request(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#)
}

fn result(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

fn cancelled(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
    )
}

fn progress(token: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}"#
    )
}

#[test]
fn ids_come_back_to_the_byte_and_to_who_asked() {
    let mut map = IdMap::new();
    let ids = [
        "1",
        "\"1\"",
        "\"\\u0031\\/\"",
        "123456789012345678901234567890",
        "-0",
        "\"\\ud800\"",
    ];
    for (n, id) in ids.iter().enumerate() {
        for (m, client) in ['a', 'b'].into_iter().enumerate() {
            let sent = from_client(&mut map, client, &request(id));
            assert_eq!(sent, Ok(request(&(2 * n + m + 1).to_string())));
        }
    }
    assert_eq!(map.in_flight(), 2 * ids.len());
    // Another spelling of an id that is in flight.
    let again = from_client(&mut map, 'a', &request("\"\\u0031/\""));
    assert_eq!(again, Err(IdMapError::InFlight));
    for (n, id) in ids.iter().enumerate().rev() {
        for (m, client) in ['a', 'b'].into_iter().enumerate() {
            let number = (2 * n + m + 1).to_string();
            let got = from_upstream(&mut map, &result(&number));
            assert_eq!(got, Ok((client, result(id))));
            assert_eq!(
                from_upstream(&mut map, &result(&number)),
                Err(IdMapError::Nobody)
            );
        }
    }
    assert_eq!(map.in_flight(), 0);
    // No other form of a number is one that was given.
    assert_eq!(
        from_client(&mut map, 'a', &request("1")).unwrap(),
        request("13")
    );
    for other in ["\"13\"", "-13", "130", "0", "-0", "99999999999999999999"] {
        assert_eq!(
            from_upstream(&mut map, &result(other)),
            Err(IdMapError::Nobody),
            "{other}"
        );
    }
    let error = r#"{"jsonrpc":"2.0","error":{"code":1,"message":""},"id":13}"#;
    let expected = error.replace("13", "1");
    assert_eq!(from_upstream(&mut map, error), Ok(('a', expected)));
    let unread = r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":""},"id":null}"#;
    assert_eq!(
        from_upstream(&mut map, unread),
        Ok(('-', unread.to_owned()))
    );
}

#[test]
fn cancellations_and_progress_find_their_request() {
    let mut map = IdMap::new();
    let ask = |token: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"m","params":{{"_meta":{{"progressToken":{token}}}}}}}"#
        )
    };
    let sent = from_client(&mut map, 'a', &ask("\"t\\u0061\"")).unwrap();
    assert_eq!(sent, ask("1").replace(":7,", ":1,"));
    from_client(&mut map, 'b', &ask("\"ta\"")).unwrap();
    from_client(&mut map, 'c', &request("7")).unwrap();
    assert_eq!(
        from_upstream(&mut map, &progress("1")),
        Ok(('a', progress("\"t\\u0061\"")))
    );
    assert_eq!(
        from_upstream(&mut map, &progress("2")),
        Ok(('b', progress("\"ta\"")))
    );
    // A request without a token has no progress; nor has a token that nobody gave.
    for token in ["3", "4", "\"1\"", "\"ta\""] {
        assert_eq!(
            from_upstream(&mut map, &progress(token)),
            Err(IdMapError::Nobody)
        );
    }
    // Who cancels 7 cancels its own.
    assert_eq!(
        from_client(&mut map, 'b', &cancelled("7")),
        Ok(cancelled("2"))
    );
    assert_eq!(
        from_client(&mut map, 'b', &cancelled("7")),
        Err(IdMapError::Nobody)
    );
    assert_eq!(
        from_client(&mut map, 'b', &cancelled("1")),
        Err(IdMapError::Nobody)
    );
    assert_eq!(
        from_upstream(&mut map, &progress("2")),
        Err(IdMapError::Nobody)
    );
    assert_eq!(
        from_upstream(&mut map, &result("2")),
        Err(IdMapError::Nobody)
    );
    assert_eq!(
        from_upstream(&mut map, &result("1")),
        Ok(('a', result("7")))
    );
    assert_eq!(
        from_upstream(&mut map, &progress("1")),
        Err(IdMapError::Nobody)
    );
    // What is told says of which method.
    let notification = cancelled("7");
    let notification = Message::parse(notification.as_bytes()).unwrap();
    let renames = map.client_message(&'c', &notification).unwrap();
    assert_eq!(
        (renames.request_id().unwrap().raw(), renames.about()),
        ("3", None)
    );
    from_client(
        &mut map,
        'c',
        &request("7").replace("\"m\"", "\"tools/list\""),
    )
    .unwrap();
    let answered = result("4");
    let answered = Message::parse(answered.as_bytes()).unwrap();
    let (_, renames) = map.upstream_message(&answered).unwrap();
    assert_eq!(renames.about(), Some(Method::ToolsList));
    from_client(&mut map, 'c', &request("7")).unwrap();
    // Twice the same name, or none: every copy of an id becomes the new one.
    let twice = cancelled("7").replace("}}", r#","r\u0065questId":7}}"#);
    assert_eq!(from_client(&mut map, 'c', &twice), Ok(cancelled("5")));
    let none = cancelled("7").replace(r#""requestId":7"#, "");
    assert_eq!(from_client(&mut map, 'c', &none), Err(IdMapError::Nobody));
    for bad in ["1.5", "null", "{}"] {
        assert_eq!(
            from_client(&mut map, 'a', &cancelled(bad)),
            Err(IdMapError::BadId)
        );
        assert_eq!(
            from_upstream(&mut map, &progress(bad)),
            Err(IdMapError::BadId)
        );
        assert_eq!(
            from_client(&mut map, 'a', &ask(bad)),
            Err(IdMapError::BadId)
        );
    }
    assert_eq!(map.in_flight(), 0);
    // All else passes as it is.
    let other = r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#;
    assert_eq!(from_client(&mut map, 'a', other), Ok(other.to_owned()));
    assert_eq!(from_upstream(&mut map, other), Ok(('-', other.to_owned())));
}

#[test]
fn subscriptions_are_known_by_the_id_of_their_request() {
    const KEY: &str = "io.modelcontextprotocol/subscriptionId";
    let mut map = IdMap::new();
    let listen = |id: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{{"notifications":{{}}}}}}"#
        )
    };
    let told = |id: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{{"_meta":{{"{KEY}":{id}}}}}}}"#
        )
    };
    let over = |id: &str, subscription: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"_meta":{{"{KEY}":{subscription}}}}}}}"#)
    };
    for client in ['a', 'b', 'c'] {
        from_client(&mut map, client, &listen("\"s\"")).unwrap();
    }
    from_client(&mut map, 'c', &request("9")).unwrap();
    assert_eq!(
        from_upstream(&mut map, &told("2")),
        Ok(('b', told("\"s\"")))
    );
    assert_eq!(from_upstream(&mut map, &told("5")), Err(IdMapError::Nobody));
    assert_eq!(from_client(&mut map, 'b', &told("\"s\"")), Ok(told("2")));
    // What names no subscription of the client's names none upstream either.
    let unnamed = told("2").replace(&format!("\"{KEY}\":2"), "");
    assert_eq!(from_client(&mut map, 'b', &told("1")), Ok(unnamed.clone()));
    assert_eq!(from_client(&mut map, 'b', &told("1.5")), Ok(unnamed));
    // The upstream ends one by its result, another by cancelling it.
    assert_eq!(
        from_upstream(&mut map, &over("1", "1")),
        Ok(('a', over("\"s\"", "\"s\"")))
    );
    assert_eq!(from_upstream(&mut map, &told("1")), Err(IdMapError::Nobody));
    assert_eq!(
        from_upstream(&mut map, &cancelled("2")),
        Ok(('b', cancelled("\"s\"")))
    );
    assert_eq!(from_upstream(&mut map, &told("2")), Err(IdMapError::Nobody));
    // It does not cancel other requests of clients.
    assert_eq!(
        from_upstream(&mut map, &cancelled("4")),
        Err(IdMapError::Nobody)
    );
    // A response never tells one client of another's, nor of anything that is none.
    for other in ["2", "77", "1.5", "null"] {
        let sent = from_client(&mut map, 'd', &request("9")).unwrap();
        let number = Message::parse(sent.as_bytes())
            .unwrap()
            .id()
            .map(|id| id.raw().to_owned());
        let unnamed = over("9", "0").replace(&format!("\"{KEY}\":0"), "");
        let said = over(&number.unwrap(), other);
        assert_eq!(from_upstream(&mut map, &said), Ok(('d', unnamed)));
    }
}

#[test]
fn requests_of_the_upstream_are_answered_by_who_was_asked() {
    let mut map = IdMap::new();
    let ask = |id: &str, token: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list","params":{{"_meta":{{"progressToken":{token}}}}}}}"#
        )
    };
    let chosen = from_upstream(&mut map, &ask("\"u\"", "\"t\""));
    assert_eq!(chosen, Ok(('?', ask("\"u\"", "\"t\""))));
    assert_eq!(
        to_client(&mut map, 'a', &ask("\"u\"", "\"t\"")),
        Ok(ask("1", "1"))
    );
    assert_eq!(
        to_client(&mut map, 'b', &ask("\"v\"", "\"t\"")),
        Ok(ask("2", "2"))
    );
    // Its ids are one space, whomever it asks.
    assert_eq!(
        to_client(&mut map, 'b', &request("\"u\"")),
        Err(IdMapError::InFlight)
    );
    assert_eq!(
        to_client(&mut map, 'b', &result("1")),
        Err(IdMapError::BadId)
    );
    // Another client's request is nobody's.
    for frame in [result("1"), progress("1")] {
        assert_eq!(from_client(&mut map, 'b', &frame), Err(IdMapError::Nobody));
    }
    assert_eq!(
        from_client(&mut map, 'a', &progress("1")),
        Ok(progress("\"t\""))
    );
    assert_eq!(
        from_client(&mut map, 'a', &result("1")),
        Ok(result("\"u\""))
    );
    assert_eq!(
        from_client(&mut map, 'a', &result("1")),
        Err(IdMapError::Nobody)
    );
    let error = r#"{"jsonrpc":"2.0","error":{"code":1,"message":""}}"#;
    assert_eq!(from_client(&mut map, 'b', error), Err(IdMapError::Nobody));
    // The upstream cancels its own, by its own id.
    assert_eq!(
        from_upstream(&mut map, &cancelled("\"v\"")),
        Ok(('b', cancelled("2")))
    );
    assert_eq!(
        from_client(&mut map, 'b', &result("2")),
        Err(IdMapError::Nobody)
    );
}

#[test]
fn nothing_of_one_client_reaches_another() {
    let mut map = IdMap::new();
    from_client(&mut map, 'a', &request("1")).unwrap();
    to_client(&mut map, 'a', &request("9")).unwrap();
    // `b` tries whatever it can say with the ids that `a` has on either side.
    for id in ["1", "9", "2", "\"1\""] {
        for frame in [cancelled(id), progress(id), result(id)] {
            assert_eq!(
                from_client(&mut map, 'b', &frame),
                Err(IdMapError::Nobody),
                "{frame}"
            );
        }
    }
    assert_eq!(map.in_flight(), 2);
    assert_eq!(map.remove_client(&'b'), Abandoned::default());
    let left = map.remove_client(&'a');
    assert_eq!(left.asked, [IdBuf::from(1)]);
    assert_eq!(left.asking, [IdBuf::from(9)]);
    assert_eq!(map.in_flight(), 0);
    // Whoever comes next under the same name is another.
    assert_eq!(from_client(&mut map, 'a', &request("1")), Ok(request("2")));
    assert_eq!(
        from_upstream(&mut map, &result("1")),
        Err(IdMapError::Nobody)
    );
    map.clear();
    assert_eq!(
        from_upstream(&mut map, &result("2")),
        Err(IdMapError::Nobody)
    );
    assert_eq!(from_client(&mut map, 'a', &request("1")), Ok(request("3")));
}

#[test]
fn limits_are_inclusive_and_what_is_in_flight_goes_on() {
    let limits = IdMapLimits::new().with_total(3, 1000).with_client(2, 500);
    let mut map = IdMap::with_limits(limits);
    for (client, id, expected) in [
        ('a', "1", Ok(())),
        ('a', "2", Ok(())),
        ('a', "3", Err(IdMapError::ClientFull)),
        ('a', "1", Err(IdMapError::InFlight)),
        ('b', "1", Ok(())),
        ('b', "2", Err(IdMapError::Full)),
        ('c', "1", Err(IdMapError::Full)),
    ] {
        let got = from_client(&mut map, client, &request(id));
        assert_eq!(got.map(|_| ()), expected, "{client} {id}");
    }
    // The other direction has limits of its own: of all, and of who is asked.
    for (client, id, expected) in [
        ('a', "1", Ok(())),
        ('a', "2", Ok(())),
        ('a', "3", Err(IdMapError::ClientFull)),
        ('a', "1", Err(IdMapError::InFlight)),
        ('b', "3", Ok(())),
        ('b', "4", Err(IdMapError::Full)),
    ] {
        let got = to_client(&mut map, client, &request(id));
        assert_eq!(got.map(|_| ()), expected, "{client} {id}");
    }
    assert_eq!(map.in_flight(), 6);
    assert_eq!(
        from_upstream(&mut map, &result("1")),
        Ok(('a', result("1")))
    );
    assert_eq!(from_client(&mut map, 'c', &request("1")), Ok(request("4")));

    // An id or a token of so many bytes, quotes and all, and no byte more; in flight it can't be, so nobody has it.
    let mut map = IdMap::with_limits(IdMapLimits::new().with_id_bytes(5));
    assert_eq!(
        from_client(&mut map, 'a', &request("\"abc\"")),
        Ok(request("1"))
    );
    let too_long = Err(IdMapError::IdTooLong);
    assert_eq!(from_client(&mut map, 'a', &request("\"abcd\"")), too_long);
    assert_eq!(to_client(&mut map, 'a', &request("123456")), too_long);
    assert_eq!(
        to_client(&mut map, 'a', &request("12345")),
        Ok(request("1"))
    );
    let token =
        r#"{"jsonrpc":"2.0","id":2,"method":"m","params":{"_meta":{"progressToken":"abcd"}}}"#;
    assert_eq!(from_client(&mut map, 'a', token), too_long);
    let nobody = Err(IdMapError::Nobody);
    assert_eq!(from_client(&mut map, 'a', &cancelled("\"abcd\"")), nobody);
    assert_eq!(
        from_upstream(&mut map, &cancelled("123456")).map(|_| String::new()),
        nobody
    );

    // Bytes of ids and tokens: ten of one client, fifteen in all.
    let limits = IdMapLimits::new().with_total(100, 15).with_client(100, 10);
    let mut map = IdMap::with_limits(limits);
    let with_token =
        r#"{"jsonrpc":"2.0","id":12345,"method":"m","params":{"_meta":{"progressToken":12345}}}"#;
    let longer = with_token.replace("12345}", "123456}");
    assert_eq!(
        from_client(&mut map, 'a', &longer),
        Err(IdMapError::ClientFull)
    );
    assert!(from_client(&mut map, 'a', with_token).is_ok());
    assert_eq!(
        from_client(&mut map, 'b', &request("123456")),
        Err(IdMapError::Full)
    );
    assert!(from_client(&mut map, 'b', &request("12345")).is_ok());
    assert_eq!(
        from_client(&mut map, 'c', &request("1")),
        Err(IdMapError::Full)
    );
    from_upstream(&mut map, &result("1")).unwrap();
    assert!(from_client(&mut map, 'a', with_token).is_ok());
}
