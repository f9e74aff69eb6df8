-- place_bid for Redis: what place_bid.sql does, as one script per bid. KEYS: the lot; ARGV: who bids, what is kept with the bid.
local was = redis.call("HMGET", KEYS[1], "price", "step", "seq")
local price, step, seq = tonumber(was[1] or 0), tonumber(was[2] or 1), tonumber(was[3] or 0)
local offered = price + step
redis.call("HSET", KEYS[1], "price", offered, "step", step, "leader", ARGV[1], "seq", seq + 1)
redis.call("RPUSH", "bids:" .. KEYS[1], (seq + 1) .. " " .. ARGV[1] .. " " .. offered .. " " .. ARGV[2])
return seq + 1
