#!/usr/bin/env bash
# The alerting rules of docker/alerts.yaml fire when they should, and not before: docker/alerts-test.yaml, by Prometheus' promtool. Without one
# on the PATH it is taken out of Debian's package of Prometheus, which is not installed: that would start a server.
# Covers: docker/alerts.yaml docker/alerts-test.yaml
set -euo pipefail
cd "$(dirname "$0")/../.."

fail() {
    printf 'test-alerts: %s\n' "$*" >&2
    exit 1
}

promtool=$(command -v promtool || true)
if [ -z "$promtool" ]; then
    promtool=$PWD/.cache/prometheus/promtool
    if [ ! -x "$promtool" ]; then
        folder=$(mktemp -d)
        trap 'rm -rf "$folder"' EXIT
        # apt's own user, which downloads if root calls it, has to write here.
        chmod 777 "$folder"
        (cd "$folder" && apt-get download -q prometheus && dpkg-deb --extract prometheus_*.deb files) >"$folder/log" 2>&1 ||
            fail "no promtool on the PATH, and Debian's package was not to be had: $(cat "$folder/log")"
        mkdir -p "${promtool%/*}"
        install "$folder/files/usr/bin/promtool" "$promtool"
    fi
fi

"$promtool" check rules docker/alerts.yaml >/dev/null || fail "docker/alerts.yaml is no file of rules"
"$promtool" test rules docker/alerts-test.yaml >/dev/null || fail "an alert does not fire, or fires when it should not: see above"
count=0
for alert in $(sed -nE 's/^ *- alert: //p' docker/alerts.yaml); do
    grep -q "alertname=\"$alert\", alertstate=\"firing\"" docker/alerts-test.yaml || fail "$alert has no case in docker/alerts-test.yaml"
    count=$((count + 1))
done
[ "$count" -gt 0 ] || fail "docker/alerts.yaml has no alerts"
echo "$count alerts fire when they should, also for a target that is gone"
