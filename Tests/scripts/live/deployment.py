"""The compose files and the Kubernetes manifests: sound by Kubernetes' own schemas, true to the program and to each other."""
import ipaddress
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import kubernetes_validate
import yaml

from nginx import free_port
from program import BINARY, Server, require_binary
from wire import Connection

# The oldest that clouds still serve, and the newest that is known.
KUBERNETES = ("1.31", "1.37")
DOCKER = pathlib.Path("docker")
DRAIN, STOP = "AUCTION_ROOM_DRAIN_SECONDS", "AUCTION_ROOM_STOP_SECONDS"
findings = []


def check(holds, finding):
    if not holds:
        findings.append(finding)


def load(path):
    """The documents of a file; a key that stands there twice is an error, which YAML itself does not see."""
    class Strict(yaml.SafeLoader):
        def construct_mapping(self, node, deep=False):
            names = [key.value for key, _ in node.value if key.value != "<<"]
            check(len(names) == len(set(names)), f"{path}: a key stands twice in {names}")
            return super().construct_mapping(node, deep)
    return [document for document in yaml.load_all(path.read_text(), Strict) if document is not None]


def image():
    """What docker/Dockerfile gives every container: its environment, its user and its ports."""
    text = re.sub(r"\\\n", " ", (DOCKER / "Dockerfile").read_text()).split("FROM ${RUNTIME_IMAGE}")[1]
    environment = dict(re.findall(r"(AUCTION_ROOM_[A-Z_]+)=(\S+)", text))
    return environment, int(re.search(r"^USER (\d+)", text, re.M)[1]), int(re.search(r"^EXPOSE (\d+)", text, re.M)[1])


def image_version():
    """The image's label is the program's version."""
    label = re.search(r"^LABEL org\.opencontainers\.image\.version=(\S+)$", (DOCKER / "Dockerfile").read_text(), re.M)
    version = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    check(label and label[1] == version, f"the image's version is {label and label[1]}, the program's {version}")


def image_build():
    """The image's program is built with the options of the Makefile's release, but for the number of jobs."""
    options = subprocess.run(["make", "-s", "-C", str(DOCKER.parent), "release-options"], capture_output=True, text=True, check=True).stdout
    build = re.search(r"^RUN swift build (.*?)\s*\\$", (DOCKER / "Dockerfile").read_text(), re.M)[1].replace("--product auction-room ", "")
    check(build == re.sub(r" --jobs \d+\n", "", options), f"the image is built with {build}, a release with {options}")


def set_variables(environment):
    """The program gets these, and no others of its own."""
    for variable in [variable for variable in os.environ if variable.startswith("AUCTION_ROOM_")]:
        del os.environ[variable]
    os.environ.update(environment)


def runs(name, environment, paths, mounted):
    """The program takes the environment, is ready with it, answers the probes' paths, and stops with 0."""
    def own(value):
        return os.path.join(folder, value.replace("/", "_"))
    with tempfile.TemporaryDirectory(prefix="deployment-") as folder:
        environment = {**image()[0], **environment}
        for variable, value in environment.items():
            if variable.endswith("_FILE"):
                check(value in mounted, f"{name}: {variable} is {value}, where nothing is mounted")
                with open(own(value), "w") as file:
                    file.write("0123456789abcdef" * 3 + "\n")
                environment[variable] = own(value)
        check(environment["AUCTION_ROOM_HOST"] == "0.0.0.0", f"{name} listens on {environment['AUCTION_ROOM_HOST']}")
        store = environment["AUCTION_ROOM_STORE"]
        check(re.match(r"postgres://\w+@[\w.]+/\w+|sqlite:/data/", store), f"{name}: the store is {store}")
        if "sslmode" in store:
            authority = re.search(r"sslmode=verify-full&sslrootcert=(\S+)$", store)
            check(authority and authority[1] in mounted, f"{name}: the database's certificate is not checked: {store}")
        environment |= {"AUCTION_ROOM_HOST": "127.0.0.1", "AUCTION_ROOM_PORT": str(free_port()), DRAIN: "0"}
        set_variables(environment)
        server = Server("memory:", log=f"{folder}/log")
        for path in paths:
            check(Connection(server.port).call("GET", path).status == 200, f"{name}: {path} is not answered with 200")
        check(server.terminate()[0] == 0, f"{name} does not stop")


def seconds(text):
    return int(re.fullmatch(r"(\d+)s", text)[1])


def limit(name, environment):
    """A numeric limit as the program has it with these variables."""
    set_variables(environment)
    printed = subprocess.run([BINARY, "configuration", "--values"], capture_output=True, text=True, check=True).stdout
    return int(re.search(rf"^{name} (\d+)$", printed, re.M)[1])


def carries_connections(name, descriptors, environment):
    """The open files suffice for all connections on a large machine too: as `fitting` of HTTPLimits reserves some for each event loop."""
    for threads in (1, 12, 32, 256):
        available = descriptors - min(128 + 256 * threads, descriptors // 4)
        carried = min(available - 64, available - available // 17)
        check(carried >= limit("limit-connections", environment),
              f"{name}: {descriptors} open files are {carried} connections with {threads} event loops")


def fits_into_memory(name, most, environment):
    """What the program allows itself is less than what it is killed for."""
    # Large bodies take up to twice their bytes, a connection 9 kB (docker/SCALING.md).
    bounds = {"limit-loaded-bytes": 1, "limit-response-bytes": 1, "limit-recent-bytes": 1, "limit-large-bodies-bytes": 2,
              "limit-connections": 9000}
    allowed = int(re.fullmatch(r"(\d+)Gi", most)[1]) << 30
    # The default in a container with so much memory.
    environment = {"AUCTION_ROOM_LIMIT_MEMORY": str(allowed // 4), **environment}
    needed = sum(limit(bound, environment) * bytes_each for bound, bytes_each in bounds.items())
    check(needed < allowed, f"{name}: the program's own bounds are {needed >> 20} MiB, its memory {allowed >> 20} MiB")


def compose(path, upstream):
    (file,) = load(path)
    services, (_, user, port) = file["services"], image()
    nodes = {name: service for name, service in services.items() if service.get("image") == "auction-room"}
    proxy, addresses = services["proxy"], set()
    for name, node in nodes.items():
        environment = {variable: re.sub(r"\$\{\w+:-(.*)\}", r"\1", value) for variable, value in node["environment"].items()}
        secrets = {"/run/secrets/" + secret for secret in node.get("secrets", ())}
        runs(f"{path}: {name}", environment, ("/healthz", "/readyz"), secrets)
        allowed = int(environment.get(DRAIN, 0)) + int(environment.get(STOP, 10))
        check(seconds(node["stop_grace_period"]) > allowed, f"{path}: {name} is killed before it has stopped")
        address = node["networks"]["inside"]["ipv4_address"]
        addresses.add(f"{address}:{port}")
        check(environment["AUCTION_ROOM_TRUSTED_PROXIES"] == proxy["networks"]["inside"]["ipv4_address"],
              f"{path}: {name} trusts another proxy")
        check(node["read_only"] and node["cap_drop"] == ["ALL"], f"{path}: {name} may more than it needs")
        carries_connections(f"{path}: {name}", node["ulimits"]["nofile"], environment)
        check(set(node["networks"]) <= file["networks"].keys(), f"{path}: {name} is in a network that is not there")
    named = set(re.findall(r"^\s+server (\S+?)(?: [^;]*)?;", (DOCKER / upstream).read_text(), re.M))
    check(named == addresses, f"docker/{upstream} names {named}, {path} has {addresses}")
    mounts = dict(reversed(volume.split(":")[:2]) for volume in proxy["volumes"])
    check(mounts == {"/etc/nginx/nginx.conf": "./nginx.conf", "/etc/nginx/upstream.conf": f"./{upstream}"}, f"{path} mounts {mounts}")
    used = {secret for service in services.values() for secret in service.get("secrets", ())}
    check(used == file.get("secrets", {}).keys(), f"{path}: the secrets {used} are used, {file.get('secrets')} are there")
    check(set(proxy["depends_on"]) == nodes.keys(), f"{path}: the proxy depends on {proxy['depends_on']}")
    if "postgres" in services:
        postgres = services["postgres"]
        for setting in ("fsync=on", "synchronous_commit=on", "full_page_writes=on"):
            check(setting in postgres["command"], f"{path}: PostgreSQL is started without {setting}")
        given = postgres["environment"]
        store = f"postgres://{given['POSTGRES_USER']}@postgres/{given['POSTGRES_DB']}"
        check(all(node["environment"]["AUCTION_ROOM_STORE"] == store for node in nodes.values()), f"{path}: the store is not {store}")
        check("inside" not in postgres["networks"], f"{path}: the proxy reaches the database")
    return len(nodes)


def voice(path):
    """LiveKit listens where the server calls it, and the ports that it names are published, on this machine only."""
    (file,) = load(path)
    node, livekit = file["services"]["auction-room"], file["services"]["livekit"]
    environment = node["environment"]
    config = yaml.safe_load(livekit["environment"]["LIVEKIT_CONFIG"])
    check(livekit["network_mode"] == "service:auction-room", f"{path}: the server does not reach LiveKit on its own machine")
    check(environment["AUCTION_ROOM_VOICE"].endswith(f":-ws://127.0.0.1:{config['port']}}}"), f"{path}: LiveKit listens on {config['port']}")
    ports = [str(config["port"]), str(config["rtc"]["tcp_port"]), f"{config['rtc']['udp_port']}/udp"]
    published = [f"127.0.0.1:{port.split('/')[0]}:{port}" for port in ports]
    check(node["ports"] == published, f"{path} publishes {node['ports']}, LiveKit listens on {published}")
    check(livekit["command"] == ["--key-file", "/run/secrets/" + livekit["secrets"][0]], f"{path}: LiveKit's keys are not mounted")
    key = re.search(r"^#   printf '(\w+): %s", path.read_text(), re.M)
    check(key and environment["AUCTION_ROOM_VOICE_KEY"] == key[1], f"{path}: the file of keys has another one")


def valid(path, documents):
    for document in documents:
        for version in KUBERNETES if document["kind"] != "Kustomization" else ():
            try:
                kubernetes_validate.validate(document, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                findings.append(f"{path}: by the schema of {version}: {error}")


def kubernetes():
    folder, parts = DOCKER / "kubernetes", {}
    for path in sorted(folder.glob("*.yaml")):
        documents = load(path)
        valid(path, documents)
        parts |= {(path.name, document["kind"]): document for document in documents}
    resources = parts["kustomization.yaml", "Kustomization"]["resources"]
    check(set(resources) == {name for name, _ in parts} - {"kustomization.yaml", "ingress-controller.yaml"}, f"kustomization: {resources}")
    deployment, config = parts["deployment.yaml", "Deployment"]["spec"], parts["config.yaml", "ConfigMap"]
    service, ingress = parts["service.yaml", "Service"], parts["ingress.yaml", "Ingress"]
    pod, (_, user, port) = deployment["template"]["spec"], image()
    (container,) = pod["containers"]
    labels = deployment["template"]["metadata"]["labels"]
    policy = parts["network-policy.yaml", "NetworkPolicy"]["spec"]
    check(set(policy["policyTypes"]) == {"Ingress", "Egress"}, "the network policy leaves a direction open")
    check([given["port"] for entry in policy["ingress"] for given in entry["ports"]] == ["http"], "the policy opens another port")
    namespace = re.search(r"@[\w-]+\.([\w-]+)\.svc/", config["data"]["AUCTION_ROOM_STORE"])[1]
    reached = [peer["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"] for entry in policy["egress"] for peer in entry["to"]]
    check(namespace in reached, f"the policy lets a pod reach {reached}, its database is in {namespace}")
    trusted = [ipaddress.ip_network(block) for block in config["data"]["AUCTION_ROOM_TRUSTED_PROXIES"].split(",")]
    check(all(block.num_addresses <= 256 for block in trusted), f"too many are trusted to say who the client is: {trusted}")
    selectors = [policy["podSelector"]["matchLabels"], deployment["selector"]["matchLabels"], service["spec"]["selector"],
                 parts["disruption-budget.yaml", "PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
                 *(spread["labelSelector"]["matchLabels"] for spread in pod["topologySpreadConstraints"])]
    check(all(selector == labels for selector in selectors), f"not all of {selectors} select {labels}")
    check([source["configMapRef"]["name"] for source in container["envFrom"]] == [config["metadata"]["name"]], "another ConfigMap")
    ports = {given["name"]: given["containerPort"] for given in container["ports"]}
    probes = [container[f"{kind}Probe"]["httpGet"] for kind in ("startup", "readiness", "liveness")]
    check([probe["path"] for probe in probes] == ["/healthz", "/readyz", "/healthz"], f"the probes ask {probes}")
    check(ports == {"http": port} and all(probe["port"] == "http" for probe in probes), f"the ports are {ports}")
    (served,) = service["spec"]["ports"]
    check(served["targetPort"] == "http", "the Service sends to another port")
    (rule,) = ingress["spec"]["rules"]
    (route,) = rule["http"]["paths"]
    check(route["backend"]["service"] == {"name": service["metadata"]["name"], "port": {"name": served["name"]}}, f"the Ingress: {route}")
    volumes = {volume["name"]: volume["secret"]["secretName"] for volume in pod["volumes"]}
    keys = dict(re.findall(r"create secret generic (\S+) --from-file=([\w.]+)=FILE", (folder / "kustomization.yaml").read_text()))
    mounted = {f"{mount['mountPath']}/{keys[volumes[mount['name']]]}" for mount in container["volumeMounts"]}
    environment = config["data"]
    check(environment["AUCTION_ROOM_PORT"] == str(port), "the program listens on another port than the container")
    runs("docker/kubernetes", environment, {probe["path"] for probe in probes}, mounted)
    fits_into_memory("docker/kubernetes", container["resources"]["limits"]["memory"], environment)
    needed = int(environment[DRAIN]) + int(environment[STOP])
    check(pod["terminationGracePeriodSeconds"] > needed, "a pod is killed before it has stopped")
    readiness = container["readinessProbe"]
    noticed = readiness["periodSeconds"] * readiness["failureThreshold"]
    check(int(environment[DRAIN]) >= 2 * noticed, f"{DRAIN} is less than twice the {noticed} s of the readiness probe")
    # Kubernetes would set AUCTION_ROOM_PORT=tcp://… for a Service of this name.
    check(pod.get("enableServiceLinks") is False, "enableServiceLinks is on")
    check(pod["securityContext"]["runAsUser"] == user, f"the pod does not run as the image's user {user}")
    controller = parts["ingress-controller.yaml", "ConfigMap"]["data"]
    check(controller.get("error-log-level") == "crit", "the controller's error log has queries, which may be tickets")
    snippet = controller["http-snippet"]
    check(" ".join(snippet.split()) in " ".join((DOCKER / "nginx.conf").read_text().split()), "http-snippet is not as in docker/nginx.conf")
    buffers = controller.get("large-client-header-buffers")
    check(f"large_client_header_buffers {buffers};" in (DOCKER / "nginx.conf").read_text(), f"buffers of {buffers} are not as in docker/nginx.conf")
    by = ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/upstream-hash-by"]
    check(f"map $uri {by} " in snippet, f"the Ingress hashes by {by}")
    return len(parts)


def systemd():
    """The unit of the Debian package starts the program with variables that it knows, again whenever it ends, and with a backtracer.
    `test-package.sh` has systemd check it."""
    text = (DOCKER / "debian/auction-room.service").read_text()
    environment = dict(re.findall(r"^Environment=(\w+)=(.*)$", text, re.M))
    backtrace = environment.pop("SWIFT_BACKTRACE")
    with tempfile.TemporaryDirectory(prefix="unit-") as folder:
        set_variables(environment | {"AUCTION_ROOM_PORT": str(free_port())})
        server = Server("memory:", log=f"{folder}/log")
        check(server.terminate()[0] == 0, "the program does not stop as the unit starts it")
    carries_connections("the unit", int(re.search(r"^LimitNOFILE=(\d+)$", text, re.M)[1]), environment)
    for setting in ("Restart=always", "StateDirectory=auction-room"):
        check(f"\n{setting}\n" in text, f"the unit has no {setting}")
    in_image = re.search(r"^ENV SWIFT_BACKTRACE=(\S+)", (DOCKER / "Dockerfile").read_text(), re.M)
    (of_image, _), (of_unit, _) = (text.rsplit("=", 1) for text in (in_image[1], backtrace))
    check(of_image == of_unit, f"the image backtraces with {of_image}, the unit with {of_unit}")
    check("enable=yes" in backtrace and "registers=none" in backtrace, f"the backtracer is set to {backtrace}")


def main():
    require_binary()
    image_version()
    image_build()
    nodes = compose(DOCKER / "compose.yaml", "nginx-nodes.conf") + compose(DOCKER / "compose.sqlite.yaml", "nginx-one.conf")
    nodes += compose(DOCKER / "compose.voice.yaml", "nginx-one.conf")
    voice(DOCKER / "compose.voice.yaml")
    manifests = kubernetes()
    systemd()
    if findings:
        sys.exit("deployment:\n" + "\n".join("  " + finding for finding in findings))
    print(f"deployment: {nodes} nodes of three compose files, a pod and a unit start with their environments; {manifests} manifests are sound by "
          f"the schemas of Kubernetes {' and '.join(KUBERNETES)}")


main()
