-- wrk -s reads.lua URL -- FOLDER: GET of every room in turn, without a token.
local requests, count, position = {}, 0, 0

function init(args)
  for line in io.lines(args[1] .. "/rooms.txt") do
    count = count + 1
    requests[count] = wrk.format("GET", "/v1/rooms/" .. line:match("^%S+"))
  end
end

function request()
  position = position % count + 1
  return requests[position]
end

function setup(thread) dofile(os.getenv("BENCH_REPORT")) end
function done(summary, latency) report(summary, latency) end
