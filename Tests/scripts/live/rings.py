"""The rings of tests: which scripts are chosen, and which stages are beyond their budget; and what lint counts of types."""
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from wire import Checks

check = Checks()
CI = Path(".ci").resolve()
BUDGET = "1.0 calibration\n30 build\n60 Tests/scripts/test-a.sh # a remark\n1 lint\n"
MANY = {"build": 30, **{f"Tests/scripts/test-{name}.sh": 10 for name in "abcdef"}}
QUIET = [(1.0, 1.01), (1.1, 1.11)]


def loaded(name):
    """A program of the rings as a module."""
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), CI / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def judges():
    """A third more than the bound fails, on a machine like that of the bounds and without other work."""
    budget = loaded("budget")

    def fails(measured, calibrations=QUIET, bounds=None):
        text = BUDGET if bounds is None else "1.0 calibration\n" + "\n".join(f"{bound} {name}" for name, bound in bounds.items())
        lines, is_over = budget.judge(text, measured, calibrations)
        check(bool(lines) or not is_over, f"{measured!r} fails without a word")
        return is_over

    check(not fails("39.9 build\n79 Tests/scripts/test-a.sh"), "a stage within a third of its bound fails")
    check(fails("41 build"), "a stage beyond a third fails nothing")
    check(fails("30 build\n81 Tests/scripts/test-a.sh"), "a script beyond a third fails nothing")
    check(not fails("4 lint"), "a short stage is judged by its noise")
    check(not fails("1000 another"), "a stage without a bound is judged")
    slow = "\n".join(f"{bound * 1.42:.1f} {name}" for name, bound in MANY.items() if name != "build")
    check(not fails(f"42 build\n{slow}", bounds=MANY), "a machine that is slower in all stages fails")
    check(fails(f"60 build\n{slow}", bounds=MANY), "a stage that grew beyond the others fails nothing on a slow machine")
    stretched = lambda factor: "\n".join(f"{bound * factor:.1f} {name}" for name, bound in MANY.items())
    check(not fails(stretched(1.9), bounds=MANY), "a machine that needs 1.9 times as long fails")
    check(fails(stretched(2.1), bounds=MANY), "stages that all took twice their bounds pass as those of a slow machine")
    words = "1.0 calibration\n" + "\n".join(f"{bound} {name}" for name, bound in MANY.items())
    for factor, count in ((1.05, 0), (1.2, 1)):
        check(len(budget.judge(words, stretched(factor), QUIET)[0]) == count, f"what is printed of a machine {factor} times as slow")
    fast = "\n".join(f"{bound * 0.7:.1f} {name}" for name, bound in MANY.items() if name != "build")
    check(not fails(f"39 build\n{fast}", bounds=MANY), "a stage within a third of its bound fails on a fast machine")
    for what, calibrations in (("a slow machine", [(1.5, 1.5), (1.5, 1.5)]), ("a fast one", [(0.5, 0.5), (0.5, 0.5)]),
                               ("a shared one", [(1.0, 1.01), (1.0, 1.4)]), ("one that became slow", [(1.0, 1.0), (1.3, 1.3)])):
        check(not fails("41 build", calibrations), f"{what} is judged")
        check(len(budget.judge(BUDGET, "41 build", calibrations)[0]) == 2, f"{what}: the excess and its reason are not printed")


def concerns():
    """`make check` runs the tests of what has changed and of what depends on it; all, if it cannot tell."""
    affected = loaded("affected")
    targets = [{"name": name, "type": kind, "path": f"{'Tests' if kind == 'test' else 'Sources'}/{name}", "target_dependencies": needs}
               for name, kind, needs in (("Core", "library", None), ("Server", "library", ["Core"]), ("CPage", "library", None),
                                         ("Other", "library", None), ("CoreTests", "test", ["Core"]), ("OtherTests", "test", ["Other"]),
                                         ("AuctionServerTests", "test", ["Server", "CPage"]), ("WholeTests", "test", ["Server"]))]
    for paths, wanted in ((["Sources/Core/A.swift"], ["AuctionServerTests", "CoreTests", "WholeTests"]),
                          (["Sources/Server/A.swift"], ["AuctionServerTests", "WholeTests"]),
                          (["Sources/Other/A.swift"], ["AuctionServerTests", "OtherTests"]),
                          (["Tests/CoreTests/A.swift"], ["AuctionServerTests", "CoreTests"]),
                          (["Sources/Page/index.html", "openapi/openapi.yaml"], ["AuctionServerTests"]),
                          (["Sources/Server/A.swift", "Package.swift"], None), (["Sources/CoreMore/A.swift"], None)):
        found = affected.affected(targets, paths)
        check(found == wanted, f"{paths}: {found}, not {wanted}")


SWIFT_TYPES = """
final class Room: Sendable {
    let id: Int, name: String
    private(set) var seq = 0
    var (first, second): (Int, Int)
    private var hidden: [Int: (Int) -> Void] = [:] { didSet { print("}") } }
    static var shared = 0
    var count: Int { hidden.count }
    struct Part { var open = "a { b"; let more: Int }
    func change() { var local = 0 }
}
struct Turn: ~Copyable {
    var open = 0
    fileprivate var kept = 0
}
private final class Continuation {
    var value: Int?
}
"""


def counts_properties(folder):
    """Lint counts the stored properties of a type, and the variables of an owner that every file may change."""
    lint = loaded("stored-properties")
    found = lint.counts(SWIFT_TYPES)
    check(found == {"Room": [6, 2], "Room.Part": [2, 0], "Turn": [2, 1], "Continuation": [1, 0]}, f"lint counts {found}")
    (folder / "Core").mkdir()
    (folder / "Core/Room.swift").write_text(SWIFT_TYPES.replace("let id", "\n".join(f"let part{n}: Int" for n in range(7)) + "\nlet id"))

    def fails(allowed, *unneeded):
        return lint.offences(folder, (allowed, dict(unneeded)))

    check(len(fails({})) == 3, f"a type of 13 properties, and two with open variables: {fails({})}")
    listed = {"Core.Room": 13}, ("Core.Room", 2), ("Core.Turn", 1)
    check(fails(*listed) == [], f"exceptions are not heeded: {fails(*listed)}")
    check(len(fails({"Core.Room": 12}, ("Core.Room", 1), ("Core.Turn", 0))) == 3, "a type that grows beyond its ceiling is not found")
    check(len(fails(*listed, ("Core.Part", 1))) == 1, "an exception that no type needs is not found")


def run(*command, folder, text=""):
    return subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, check=True).stdout.split()


def chooses(folder):
    """The scripts that cover what differs from origin/main: of a clone without changes, and without an origin, none."""
    for name, covers in (("one", "Sources/One docker/a.conf"), ("two", "Sources/Two/")):
        (folder / f"{name}.sh").write_text(f"#!/bin/sh\n# Covers: {covers}\n# Covers: README.md\n")

    def covering(*paths):
        return run(CI / "covering.sh", "one.sh", "two.sh", folder=folder, text="".join(f"{path}\n" for path in paths))

    check(covering() == [], "a script is chosen without a change")
    check(covering("Sources/One/A.swift") == ["one.sh"], "a file in a covered folder")
    check(covering("Sources/OneMore/A.swift", "docker/b.conf") == [], "a folder whose name begins like a covered one")
    check(covering("Sources/Two/B/C.swift", "docker/a.conf") == ["one.sh", "two.sh"], "a file and a folder")
    check(covering("README.md") == ["one.sh", "two.sh"], "the second line of a head")
    check(covering("two.sh") == ["two.sh"], "a changed script")


def compares(folder):
    def git(*arguments, into="clone"):
        run("git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments, folder=folder / into)

    def changed():
        return run("./.ci/changed.sh", folder=folder / "clone")

    (folder / "origin/.ci").mkdir(parents=True)
    shutil.copy(CI / "changed.sh", folder / "origin/.ci")
    (folder / "origin/a file").write_text("1")
    git("init", "-q", "-b", "main", into="origin")
    git("add", ".", into="origin")
    git("commit", "-qm", "first", into="origin")
    git("clone", "-q", "origin", "clone", into=".")
    check(changed() == [], "a clean clone has changes")
    (folder / "clone/new").write_text("2")
    git("rm", "-q", "a file")
    check(changed() == ["a", "file", "new"], f"a new file and a removed one: {changed()}")
    git("add", ".")
    git("commit", "-qm", "second")
    check(changed() == ["a", "file", "new"], "a commit of its own is no change")
    # What others have added meanwhile is no change of this branch.
    (folder / "origin/later").write_text("3")
    git("add", ".", into="origin")
    git("commit", "-qm", "third", into="origin")
    git("fetch", "-q")
    check(changed() == ["a", "file", "new"], "a commit of others is a change")
    git("remote", "remove", "origin")
    check(changed() == [], "without an origin there are changes")
    shutil.rmtree(folder / "clone/.git")
    check(changed() == [], "outside a clone there are changes")


# Stands for Swift: says where the programs are.
SWIFT = """#!/bin/sh
case "$*" in *--show-bin-path*) echo /bin ;; esac
"""

# Stands for the tests: two halves, of five tests together.
TESTS = """#!/bin/sh
echo "✔ Test run with 3 tests in 2 suites passed after 0.1 seconds."
echo "✔ Test run with 2 tests in 1 suite passed after 0.1 seconds."
"""


def fake_tree(folder):
    """A tree with the real rings and scripts that only note that they ran."""
    (folder / "Tests/scripts").mkdir(parents=True)
    shutil.copytree(CI, folder / ".ci")
    for name in ("lint", "simulate"):
        (folder / f".ci/{name}.sh").write_text("#!/bin/sh\n")
    (folder / ".ci/unit-tests.sh").write_text(TESTS)
    (folder / ".ci/with-postgres.sh").write_text('#!/bin/sh\nexec "$@"\n')
    for script in Path("Tests/scripts").glob("test-*.sh"):
        (folder / script).write_text(f'#!/bin/sh\necho "ran {script.name}"\n# Covers: Sources\n')
        (folder / script).chmod(0o755)
    (folder / "programs").mkdir()
    (folder / "programs/swift").write_text(SWIFT)
    (folder / "programs/swift").chmod(0o755)
    (folder / ".build").mkdir()


def runs(folder):
    """What one ring has shown of a tree, the next does not repeat; a change or a failure is not hidden by it."""
    fake_tree(folder)
    scripts = {script.name for script in Path("Tests/scripts").glob("test-*.sh")}

    def ring(name):
        environment = {**os.environ, "PATH": f"{folder}/programs:{os.environ['PATH']}"}
        environment.pop("CRASH_ROUNDS", None)
        done = subprocess.run([f".ci/{name}.sh"], cwd=folder, env=environment, capture_output=True, text=True)
        ran = re.findall(r"^ran (.*)$", done.stdout, re.M)
        return done.returncode, done.stdout.splitlines()[-1], ran

    code, total, quick = ring("test")
    check(code == 0 and len(quick) == 10, f"the first ring: {code}, {quick}")
    # Lint, the build, five tests, the simulator, the auditor, the scripts, the budget.
    check(total == "20 passed, 0 failed", f"the total of the first ring: {total}")
    code, total, rest = ring("test-all")
    check(code == 0 and sorted(quick + rest) == sorted([*scripts, "test-crash.sh"]), f"the second ring repeats or forgets: {rest}")
    check(total == f"{20 + 1 + 5 + 1 + len(rest) + 1} passed, 0 failed", f"the total of both rings: {total}")
    (folder / "Tests/changed").write_text("")
    _, again, both = ring("test-all")
    check(len(both) == len(scripts) + 1 and again == total, f"after a change the second ring begins with the first: {len(both)}, {again}")
    (folder / "Tests/scripts/test-serve.sh").write_text("#!/bin/sh\nexit 3\n")
    code, total, _ = ring("test")
    check(code == 1 and total == "19 passed, 1 failed", f"a script that fails: {code}, {total}")
    code, total, ran = ring("test-all")
    check(code == 1 and total.endswith(", 1 failed"), f"a failure of the first ring in the second: {code}, {total}")
    (folder / "Tests/scripts/test-serve.sh").write_text("#!/bin/sh\n")
    (folder / "Tests/scripts/test-flood.sh").write_text("#!/bin/sh\nexit 3\n")
    code, total, _ = ring("test-all")
    check(code == 1 and total.endswith(", 1 failed"), f"a failure of the second ring: {code}, {total}")
    # It fails beside another script, and passes alone.
    (folder / "Tests/scripts/test-flood.sh").write_text(
        '#!/bin/sh\n[ -f .build/seen ] || { touch .build/seen; exit 3; }\necho "ran test-flood.sh"\n')
    code, total, ran = ring("test-all")
    check(code == 0 and total.endswith(", 0 failed") and ran[-1] == "test-flood.sh", f"a script that passes alone: {code}, {total}, {ran}")


def main():
    judges()
    concerns()
    with tempfile.TemporaryDirectory(prefix="rings-") as name:
        counts_properties(Path(name))
        chooses(Path(name))
        compares(Path(name))
        runs(Path(name) / "tree")
    print(f"rings: {check.count} checks of the choice of scripts and of the budget")


main()
