"""Generates clients from the contract, then runs the scripts that use them, each with the packages of its generator."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from cutting_proxy import CuttingProxy
from packages import programs_of
from program import NO_LIMITS, Server, require_binary

CLIENT = "openapi-python-client==0.29.1"
MODELS = "datamodel-code-generator==0.89.0"
CONTRACT = "openapi/openapi.yaml"
STREAMS = "openapi/asyncapi.yaml"
HERE = pathlib.Path(__file__).parent
ARTICLE = pathlib.Path("Sources/AuctionServer/AuctionServer.docc/PythonClient.md")
# The suites that call every operation, with all kinds of callers.
SUITES = "ContractResponseTests|AccessTableTests"


def quiet(*command, **options):
    """Runs a generator, which must succeed and say nothing but what it does."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode or "warn" in done.stdout.lower() or "error" in done.stdout.lower():
        raise SystemExit(f"{command[0]} is not content with the contract:\n{done.stdout[-4000:]}")


def generate_client(folder, programs):
    """By the commands of the article, as they are written there: from where the contract has been downloaded."""
    commands = re.search(r"^```sh\n.*? -o openapi\.yaml\n(.*?)^```$", ARTICLE.read_text(), re.M | re.S)[1]
    shutil.copy(CONTRACT, folder / "openapi.yaml")
    # The generator formats its code with ruff, which is installed beside it.
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    quiet("bash", "-euc", commands, env=environment, cwd=folder)


def generate_models(folder, programs):
    for kind, document, name in (("openapi", CONTRACT, "models.py"), ("asyncapi", STREAMS, "frames.py")):
        quiet(programs / "datamodel-codegen", "--input", document, "--input-file-type", kind, "--output", folder / name,
              "--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin")


def record(file):
    environment = {**os.environ, "AUCTION_ROOM_RECORDED_RESPONSES": str(file)}
    done = subprocess.run(["swift", "test", "--skip-build", "--filter", SUITES], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit("the tests that record responses failed:\n" + done.stdout[-4000:])


def article_code(port):
    """The Python of the article about generated clients, as one program, and what it prints according to the article."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", ARTICLE.read_text(), re.M | re.S)
    code = "\n".join(text for language, text in blocks if language == "python")
    shown = "".join(text for language, text in blocks if not language)
    return code.replace("127.0.0.1:8080", f"127.0.0.1:{port}"), shown


def run_article(programs, environment):
    server = Server("memory:", *NO_LIMITS)
    # Its bid is carried out, and the response lost: the article's retry has to get it.
    proxy = CuttingProxy(server.port)
    code, shown = article_code(proxy.port)
    done = subprocess.run([programs / "python", "-c", code], env=environment, stdout=subprocess.PIPE, text=True, timeout=60)
    server.terminate()
    if done.returncode or not shown or done.stdout != shown or proxy.lost != 1:
        raise SystemExit(f"{ARTICLE} shows\n{shown}\nand its code ends with {done.returncode} and prints\n{done.stdout}")
    print(f"{ARTICLE.name}: its code prints what it shows")


def main():
    require_binary()
    client, models = programs_of("openapi-client", CLIENT), programs_of("datamodel", MODELS)
    with tempfile.TemporaryDirectory(prefix="generated-") as name:
        folder = pathlib.Path(name)
        generate_client(folder, client)
        generate_models(folder, models)
        responses = os.environ.get("RECORDED_RESPONSES", "")
        if not responses or not pathlib.Path(responses).is_file():
            responses = folder / "responses.ndjson"
            record(responses)
        environment = {**os.environ, "PYTHONPATH": str(folder)}

        def run(programs, script, *arguments):
            subprocess.run([programs / "python", HERE / script, *map(str, arguments)], env=environment, check=True)

        run(client, "generated_client_responses.py", responses)
        run(models, "generated_model_responses.py", responses, CONTRACT)
        run_article(client, environment)
        server = Server("memory:", *NO_LIMITS)
        run(client, "generated_client_auction.py", server.port)
        server.terminate()


main()
