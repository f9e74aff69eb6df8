-- wrk -s bids.lua URL -- FOLDER: a bid in every room in turn, the two bidders of a room alternating, each a step higher.
--
-- A room's next bid is sent only after one in every other room, so with far fewer connections than rooms it hardly ever
-- overtakes the one before. FOLDER/position, if there, is where an earlier run stopped; the run leaves its own there.
-- BENCH_KEYED: with an Idempotency-Key each. BENCH_COUNT: the run ends after so many responses.
local heads, count, threads = {}, 0, {}
local keyed, responses = os.getenv("BENCH_KEYED"), 0
local most = tonumber(os.getenv("BENCH_COUNT") or "")
position = 0  -- global: wrk reads it from outside the thread

function setup(thread)
  dofile(os.getenv("BENCH_REPORT"))
  threads[#threads + 1] = thread
end

function init(args)
  folder = args[1]
  for line in io.lines(folder .. "/rooms.txt") do
    local room, first, second = line:match("^(%S+) (%S+) (%S+)$")
    for bidder, token in ipairs({ first, second }) do
      heads[count * 2 + bidder] = table.concat({
        "POST /v1/rooms/" .. room .. "/bids HTTP/1.1",
        "Host: " .. wrk.headers["Host"],
        "Authorization: Bearer " .. token,
        "Content-Type: application/json",
        "Content-Length: ",
      }, "\r\n")
    end
    count = count + 1
  end
  local file = io.open(folder .. "/position")
  if file then
    position = file:read("*n")
    file:close()
  end
end

function request()
  local room, pass = position % count, math.floor(position / count)
  position = position + 1
  local body = string.format('{"amount":"%d.00"}', pass + 1)
  local key = keyed and string.format('\r\nIdempotency-Key: "bid-%d"', position) or ""
  return heads[room * 2 + pass % 2 + 1] .. #body .. key .. "\r\n\r\n" .. body
end

-- Defined only where it is needed: it makes wrk keep every response.
if most then
  function response()
    responses = responses + 1
    if responses == most then wrk.thread:stop() end
  end
end

function done(summary, latency)
  local file = io.open(threads[1]:get("folder") .. "/position", "w")
  file:write(threads[1]:get("position"))
  file:close()
  report(summary, latency)
end
