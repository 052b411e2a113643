// Compiles one kernel with NVRTC:  ./compile KERNEL.cu KERNEL.cubin [--expression NAME] FLAGS...
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(nvrtcResult result, const char *call) {
  if (result == NVRTC_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", call, nvrtcGetErrorString(result));
  exit(1);
}

static char *textOf(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) return fprintf(stderr, "Cannot read %s\n", path), exit(1), NULL;
  long bytes = ftell(file);
  rewind(file);
  char *text = calloc(bytes + 1, 1);
  if (text == NULL || fread(text, 1, bytes, file) != (size_t)bytes) return fprintf(stderr, "Cannot read %s\n", path), exit(1), NULL;
  fclose(file);
  return text;
}

int main(int count, char **words) {
  if (count < 3) return fprintf(stderr, "Usage: compile KERNEL.cu KERNEL.cubin [--expression NAME] FLAGS...\n"), 2;
  int first = 3;
  nvrtcProgram program;
  check(nvrtcCreateProgram(&program, textOf(words[1]), words[1], 0, NULL, NULL), "nvrtcCreateProgram");
  if (count > 4 && strcmp(words[3], "--expression") == 0) {
    check(nvrtcAddNameExpression(program, words[4]), "nvrtcAddNameExpression");
    first = 5;
  }
  nvrtcResult result = nvrtcCompileProgram(program, count - first, (const char *const *)words + first);
  size_t bytes;
  check(nvrtcGetProgramLogSize(program, &bytes), "nvrtcGetProgramLogSize");
  char *log = malloc(bytes);
  check(nvrtcGetProgramLog(program, log), "nvrtcGetProgramLog");
  fputs(log, stderr);
  check(result, "nvrtcCompileProgram");
  check(nvrtcGetCUBINSize(program, &bytes), "nvrtcGetCUBINSize");
  char *code = malloc(bytes);
  check(nvrtcGetCUBIN(program, code), "nvrtcGetCUBIN");
  FILE *file = fopen(words[2], "wb");
  if (file == NULL || fwrite(code, 1, bytes, file) != bytes || fclose(file) != 0) return fprintf(stderr, "Cannot write %s\n", words[2]), 1;
  return 0;
}
