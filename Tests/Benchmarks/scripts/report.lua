-- The last lines of a wrk run, for bench.sh: requests, seconds, refused, broken, p50 and p99 in microseconds.
function report(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %d %.3f %d %d %.0f %.0f\n",
    summary.requests, summary.duration / 1e6, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
