-- What somebody writes instead who keeps an auction in PostgreSQL: one function per bid.
CREATE TABLE lot (id bigint PRIMARY KEY, price bigint NOT NULL, step bigint NOT NULL, leader bigint, seq bigint NOT NULL) WITH (fillfactor = 50);
CREATE TABLE bid (lot bigint, seq bigint, bidder bigint NOT NULL, amount bigint NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(),
    detail jsonb, PRIMARY KEY (lot, seq));
INSERT INTO lot SELECT n, 0, 1, NULL, 0 FROM generate_series(1, 1024) n;

-- A NULL amount bids one step more than the price, so that no bid of the measurement is refused.
CREATE FUNCTION place_bid(which bigint, who bigint, offered bigint, about jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    was lot;
BEGIN
    SELECT * INTO was FROM lot WHERE id = which FOR UPDATE;
    IF NOT FOUND THEN RAISE EXCEPTION 'no such lot'; END IF;
    offered := coalesce(offered, was.price + was.step);
    IF offered < was.price + was.step THEN RAISE EXCEPTION 'too low'; END IF;
    INSERT INTO bid (lot, seq, bidder, amount, detail) VALUES (which, was.seq + 1, who, offered, about);
    UPDATE lot SET price = offered, leader = who, seq = was.seq + 1 WHERE id = which;
    RETURN was.seq + 1;
END $$;
