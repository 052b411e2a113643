// The #include lines of pasted functors. A functor is compiled without the standard library, whose functions of numbers
// jitlab has; a header of C's includes them in vain, and would declare them twice.
import { JitlabError } from "../base/errors.js";

// Headers whose names a functor has anyway, or that say where CUDA's are.
const needless = new Set(
  (
    "cmath math.h cstdlib stdlib.h algorithm cstdio stdio.h cstring string.h cassert assert.h utility functional " +
    "cuda.h cuda_runtime.h cuda_fp16.h cuda_bf16.h device_launch_parameters.h math_constants.h math_functions.h"
  ).split(" "),
);
// The same types by a header that every compiler has.
const instead: Readonly<Record<string, string>> = {
  cstddef: "stddef.h",
  cstdint: "stdint.h",
  cinttypes: "stdint.h",
  "inttypes.h": "stdint.h",
};
// What these declare needs a system below it, and runs on no GPU.
const refused = new Set(
  (
    "any array atomic barrier bitset ccomplex cctype cfenv charconv chrono clocale codecvt complex complex.h condition_variable " +
    "coroutine csetjmp csignal cstdarg ctgmath ctime ctype.h cuchar cwchar cwctype deque exception execution expected fenv.h " +
    "filesystem format forward_list fstream future iomanip ios iosfwd iostream istream iterator latch list locale locale.h map " +
    "memory memory_resource mutex new numeric optional ostream print queue random ranges ratio regex scoped_allocator " +
    "semaphore set setjmp.h shared_mutex signal.h span sstream stack stdarg.h stdexcept stop_token streambuf string string_view " +
    "strstream syncstream system_error tgmath.h thread time.h tuple uchar.h unordered_map unordered_set valarray variant " +
    "vector wchar.h wctype.h"
  ).split(" "),
);

const include = /^[^\S\n]*#[^\S\n]*include[^\S\n]*[<"]([^>"\n]+)[>"].*$/gm;

/** A text without the headers that change nothing; each line stays where it is. Throws `bad-functor` for others of C++. */
export function withoutHeaders(what: string, text: string): string {
  return text.replace(include, (line, header: string) => {
    if (needless.has(header)) return "";
    const other = instead[header];
    if (other !== undefined) return `#include <${other}>`;
    if (!refused.has(header) && !/^(?:thrust|cub|ATen|torch|c10)\//.test(header)) return line;
    throw new JitlabError(
      "bad-functor",
      `${what}: the text includes <${header}>, which functors cannot use.`,
      "Leave the line out; a functor has the math functions without a header.",
    );
  });
}
