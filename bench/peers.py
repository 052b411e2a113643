"""What other libraries take for the trials of `npm run bench`: one process per library, which answers requests.

usage: peers.py list
       peers.py PEER cuda|cpu

A request is a line: a subject of SUBJECTS and its words. The answer is a line of JSON, {"value": number}, {"failure": text}, or {} for what
the library lacks. Clocks and names are those of trial.ts and of the subjects' files.
"""

import ctypes
import importlib
import importlib.metadata
import importlib.util
import json
import os
import sys
import time

sys.dont_write_bytecode = True
from peer_libraries import CLASSES, torch_function
from peer_linalg import numpy_cases, torch_cases
from peer_loops import figures as loop_figures
from peer_programs import programs
from peer_tasks import figures as task_figures, jax_tasks, peak_mebibytes, torch_tasks
from peer_tensors import LIBRARIES, best_milliseconds
from peer_training import jax_steps, torch_steps

PEERS = {"numpy": "numpy", "torch": "torch", "torch.compile": "torch", "cupy": "cupy", "jax": "jax"}


class Library:
    """A peer with the cases of its latest subject: those of another one would hold memory."""

    def __init__(self, name, device):
        self.name, self.device = name, device
        self.launches = 10 if device == "cuda" else 1
        self.made = self.key = self.cases = None

    @property
    def peer(self):
        if self.made is None:
            self.made = CLASSES[self.name](self.device)
        return self.made

    def case(self, key, name, make):
        """The case of a name; None if the library lacks it."""
        if self.key != key:
            self.key = self.cases = None
            self.cases, self.key = make(), key
        return self.cases.get(name)


def host_microseconds(peer, call, calls=5000, rounds=5):
    for _ in range(200):
        call()
    best = float("inf")
    for _ in range(rounds):
        peer.sync()
        began = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, time.perf_counter() - began)
    peer.sync()
    return best / calls * 1e6


def device_milliseconds(peer, launch, launches):
    launch()
    peer.sync()
    began, rounds = time.perf_counter(), []
    while len(rounds) < 2 or (len(rounds) < 7 and time.perf_counter() - began < 1):
        rounds.append(peer.milliseconds(launch, launches))
    rounds.sort()
    middle = len(rounds) // 2
    return rounds[middle] if len(rounds) % 2 else (rounds[middle - 1] + rounds[middle]) / 2


def first_seconds(peer, call):
    peer.sync()
    began = time.perf_counter()
    call()
    peer.sync()
    return time.perf_counter() - began


def first_milliseconds(peer, name):
    call = peer.first(name)
    peer.sync()
    began = time.perf_counter()
    result = call()
    peer.sync()
    took = (time.perf_counter() - began) * 1e3
    result[0].item()
    return took


def bare_context_free():
    """Free bytes with nothing but the device's primary context, which the peer will use too."""
    cuda = ctypes.CDLL("libcuda.so.1")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    results = [
        cuda.cuInit(0),
        cuda.cuDeviceGet(ctypes.byref(device), 0),
        cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device),
        cuda.cuCtxSetCurrent(context),
    ]

    def ask():
        results.append(cuda.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)))
        if any(results):
            raise RuntimeError(f"the driver answered {results}")
        return free.value

    return ask


def memory_above_bare(make):
    ask = bare_context_free()
    bare = ask()
    peer = make()
    for name in ("gcd", "digamma", "zeta", "functor"):
        peer.first(name)()
    peer.sync()
    return (bare - ask() - peer.pooled()) / 2**20


def turn(launch, launches, clock, join):
    """Milliseconds of a launch: the first one of a turn warms up caches, threads and clocks again."""
    times = []
    for _ in range(launches):
        began = clock()
        launch()
        times.append(1e3 * (clock() - began))
    return join(times[1:])


def middle(times):
    return sorted(times)[len(times) // 2]


# Each takes a library and the words of the request, and returns a number or None.
def host(library, name):
    call = library.case("host", name, lambda: library.peer.functions(1))
    return call and host_microseconds(library.peer, call)


def launch_of(library, name, log2):
    known = "copy" if name == "copy-kernel" and library.name == "torch" else name
    return library.case(("bandwidth", log2), known, lambda: library.peer.launches(1 << int(log2)))


def bandwidth(library, name, log2):
    launch = launch_of(library, name, log2)
    return launch and device_milliseconds(library.peer, launch, library.launches)


def bandwidth_turn(library, name, log2, launches):
    launch = launch_of(library, name, log2)
    return launch and turn(launch, int(launches), time.perf_counter, middle)


def custom(library, name, log2):
    count, peer = 1 << int(log2), library.peer
    make = lambda: {"throughput": peer.reductions(count), "host": peer.custom_calls()}
    launch = library.case(("custom", log2), "throughput", make).get(name)
    if launch:
        return count * 4 / device_milliseconds(peer, launch, library.launches) / 1e6
    call = library.case(("custom", log2), "host", make).get(name)
    return call and host_microseconds(peer, call)


def program_of(library, name, log2):
    make = lambda: dict(programs(library.peer, library.name, 1 << int(log2)))
    return library.case(("programs", log2), name, make)


def programs_first(library, name, log2):
    call = program_of(library, name, log2)
    return call and first_seconds(library.peer, call)


def programs_device(library, name, log2):
    call = program_of(library, name, log2)
    return call and 1e3 * device_milliseconds(library.peer, call, library.launches)


def programs_turn(library, name, log2, launches):
    call = program_of(library, name, log2)
    return call and turn(call, int(launches), time.process_time, min)


def functions(library, name, dtype, low, high, arity, log2, launches):
    words = (name, dtype, low, high, arity, log2, launches)
    make = lambda: {name: torch_function(library.peer, name, dtype, float(low), float(high), int(arity), int(log2))}
    launch, launches = library.case(words, name, make), int(launches)
    if launch is None or library.device == "cuda":
        return launch and library.peer.milliseconds(launch, launches)
    return min(library.peer.milliseconds(launch, 1) for _ in range(launches))


def tensors(library, name, log2, budget):
    cases, seconds = library.case(("tensors", log2), "all", lambda: {"all": LIBRARIES[library.name](library.device, int(log2))})
    return best_milliseconds(cases[name](), seconds, float(budget)) if name in cases else None


def linalg(library, name, log2, budget):
    make = {"torch": torch_cases, "numpy": numpy_cases}[library.name]
    cases, seconds = library.case(("linalg", log2), "all", lambda: {"all": make(library.device)})
    return best_milliseconds(cases[name](), seconds, float(budget)) if name in cases else None


def tasks(library, name, figure, makers=(torch_tasks, jax_tasks)):
    make = lambda: {name: task_figures(library.name, library.device, name, *makers)}
    known = library.case(("tasks", name), name, make)
    return known and known[figure]


def loops(library, name, figure):
    make = lambda: {name: loop_figures(library.name, library.device, name)}
    known = library.case(("loops", name), name, make)
    return known and known[figure]


SUBJECTS = {
    "host": host,
    "bandwidth": bandwidth,
    "bandwidth-turn": bandwidth_turn,
    "custom": custom,
    "programs": programs_device,
    "programs-first": programs_first,
    "programs-turn": programs_turn,
    "functions": functions,
    "tensors": tensors,
    "linalg": linalg,
    "tasks": tasks,
    "training": lambda library, name, figure: tasks(library, name, figure, (torch_steps, jax_steps)),
    "loops": loops,
    "tasks-peak": lambda library: peak_mebibytes(library.name, library.device),
    "first": lambda library, name: first_milliseconds(library.peer, name),
    "memory": lambda library: memory_above_bare(lambda: library.peer),
}


def installed():
    versions = {}
    for name, module in PEERS.items():
        if importlib.util.find_spec(module) is None:
            continue
        try:
            versions[name] = importlib.metadata.version(module)
        except importlib.metadata.PackageNotFoundError:
            try:  # CuPy's wheels have names of their own
                versions[name] = importlib.import_module(module).__version__
            except Exception as error:
                print(f"{name} is not usable: {error}", file=sys.stderr)
    return versions


def main():
    if sys.argv[1:] == ["list"]:
        print(json.dumps(installed()))
        return
    name, device = sys.argv[1:]
    os.environ.setdefault("JAX_PLATFORMS", device)
    # What a library prints is no answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    library = Library(name, device)
    for line in sys.stdin:
        subject, *words = line.split()
        try:
            value = SUBJECTS[subject](library, *words)
            answer = {} if value is None else {"value": value}
        except Exception as error:  # a peer that lacks one thing is still measured in the others
            answer = {"failure": f"{type(error).__name__}: {error}".splitlines()[0][:200]}
        print(json.dumps(answer), file=answers, flush=True)


main()
