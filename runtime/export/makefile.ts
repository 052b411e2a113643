// The Makefile and the README of an exported launch, for each kind of device.
import type { ExportedKernel } from "./program-text.js";

/** A kernel's compile: its flags, and the C++ name that selects an instance of a template. */
export interface KernelBuild extends ExportedKernel {
  readonly flags: readonly string[];
  readonly expression: string | undefined;
}

/** The Makefile of launches on a GPU; `nvrtc` is the library that compiled them. */
export function cudaMakefile(kernels: readonly KernelBuild[], nvrtc: string): string {
  const flags = kernels.map(({ file, flags: own, expression }) => {
    const words = [...(expression === undefined ? [] : ["--expression", expression]), ...own];
    const code = [file, `lineinfo/${file}`, `debug/${file}`].map((name) => `${name}.cubin`).join(" ");
    return `${code}: FLAGS = ${words.map(word).join(" ")}`;
  });
  return `# make: the program that repeats the launches. An edited .cu is compiled again, by NVRTC.
# make ncu, make sanitize, make gdb: Nsight Compute, compute-sanitizer and cuda-gdb on it.
KERNELS = ${kernels.map(({ file }) => file).join(" ")}
CUDA ?= $(patsubst %/include/cuda.h,%,$(firstword $(wildcard $(CUDA_HOME)/include/cuda.h \\
  $(dir $(realpath $(shell command -v nvcc)))../include/cuda.h /usr/local/cuda*/include/cuda.h /usr/include/cuda.h)))
PATH := $(PATH):$(CUDA)/bin:/usr/local/cuda/bin
DRIVER ?= $(firstword $(wildcard /usr/local/nvidia/lib64/libcuda.so.1 /usr/lib/*-linux-gnu/libcuda.so.1 /usr/lib64/libcuda.so.1) -lcuda)
NVRTC ?= ${nvrtc}
NVRTC_INCLUDE ?= $(dir $(NVRTC))../include

run: main.c device.c device.h steps.h launch.h $(KERNELS:=.cubin)
	$(CC) -O2 -o $@ main.c device.c -I$(CUDA)/include $(DRIVER)

# The kernels' flags.
${flags.join("\n")}

%.cubin: %.cu
	$(MAKE) -s compile
	./compile $< $@ $(FLAGS)

lineinfo/%.cubin: %.cu
	mkdir -p lineinfo
	$(MAKE) -s compile
	./compile $< $@ $(FLAGS) -lineinfo

debug/%.cubin: %.cu
	mkdir -p debug
	$(MAKE) -s compile
	./compile $< $@ $(filter-out --Ofast-compile% -Xptxas=%,$(FLAGS)) -G

compile: compile.c
	$(CC) -O2 -o $@ compile.c -I$(CUDA)/include -I$(NVRTC_INCLUDE) $(NVRTC) -Wl,--disable-new-dtags,-rpath,$(dir $(NVRTC))

ncu: run $(KERNELS:%=lineinfo/%.cubin)
	ncu --set full --import-source yes --source-folders . --clock-control none -f -o counters ./run --once lineinfo
	ncu --import counters.ncu-rep --page details

# The counters of each instruction, and all metrics, as tables.
counters: run $(KERNELS:%=lineinfo/%.cubin)
	ncu --set full --clock-control none -f -o counters ./run --once lineinfo
	ncu --import counters.ncu-rep --page source --csv > source.csv
	ncu --import counters.ncu-rep --page raw --csv --print-units base > raw.csv

# TOOL: memcheck, racecheck, initcheck or synccheck.
TOOL ?= memcheck
sanitize: run $(KERNELS:%=lineinfo/%.cubin)
	compute-sanitizer --tool $(TOOL) --error-exitcode 1 ./run --once lineinfo

gdb: run $(KERNELS:%=debug/%.cubin)
	cuda-gdb --args ./run --once debug

clean:
	rm -rf run compile lineinfo debug counters.ncu-rep source.csv raw.csv

.PHONY: ncu counters sanitize gdb clean
.PRECIOUS: %.cubin lineinfo/%.cubin debug/%.cubin
`;
}

/** The Makefile of launches on the processor; `compiler` is the program that compiled them. */
export function cpuMakefile(kernels: readonly KernelBuild[], compiler: string): string {
  const flags = kernels.map(
    ({ file, flags: own }) => `${file}.so debug/${file}.so: FLAGS = ${own.map(word).join(" ")}`,
  );
  return `# make: the program that repeats the launches. An edited .cpp is compiled again; make clean compiles all, for another processor.
# make gdb, make perf: the debugger and the profiler on it.
KERNELS = ${kernels.map(({ file }) => file).join(" ")}
ifeq ($(origin CXX),default)
CXX = ${compiler}
endif

run: main.c device.c device.h steps.h launch.h pool.o $(KERNELS:=.so)
	$(CC) -O2 -o $@ main.c device.c pool.o -ldl -lpthread

pool.o: pool.cpp
	$(CXX) -O2 -c -o $@ $<

# The kernels' flags.
${flags.join("\n")}

# Symbols that GCC marks as unique would be shared between kernels.
%.so: %.cpp
	$(CXX) $(FLAGS) -S -o $*.s $<
	sed -i '/^[[:space:]]*[.]type[[:space:]]/s/gnu_unique_object$$/object/' $*.s
	$(CXX) -shared -o $@ $*.s

debug/%.so: %.cpp
	mkdir -p debug
	$(CXX) $(FLAGS) -Og -g -shared -o $@ $<

gdb: run $(KERNELS:%=debug/%.so)
	gdb --args ./run --once debug

perf: run
	perf record -o perf.data ./run
	perf report -i perf.data

clean:
	rm -rf run pool.o debug perf.data $(KERNELS:=.so) $(KERNELS:=.s)

.PHONY: gdb perf clean
.PRECIOUS: %.so debug/%.so
`;
}

/** One word of a shell's command in a Makefile. */
function word(text: string): string {
  const quoted = /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  return quoted.replaceAll("$", "$$$$").replaceAll("#", "\\#");
}
