"""jupyter_kernel_test's KernelTests with a sample for every attribute; run by kernel-test.client.ts."""
import unittest

import jupyter_kernel_test


class JitlabTests(jupyter_kernel_test.KernelTests):
    kernel_name = "jitlab"
    language_name = "typescript"
    file_extension = ".ts"
    code_hello_world = 'console.log("hello, world")'
    code_stderr = 'console.error("a warning")'
    completion_samples = [
        {"text": "const fruit = 'apple'; frui", "matches": ["fruit"]},
        {"text": "Math.hypo", "matches": ["hypot"]},
        {"text": 'import * as jl from "jitlab"; jl.digam', "matches": ["digamma"]},
    ]
    complete_code_samples = ["1 + 1", "for (const x of [1, 2]) {\n  console.log(x);\n}", "const s = `a\nb`;"]
    incomplete_code_samples = ["function f() {", "const t = `open", "[1, 2,"]
    invalid_code_samples = ["const = 1", ") + 1"]
    code_generate_error = 'throw new Error("on purpose")'
    code_execute_result = [
        {"code": "6 * 7", "result": "42"},
        {"code": '"text"', "result": "'text'"},
        {"code": "await Promise.resolve([1, 2])", "result": "[ 1, 2 ]"},
    ]
    code_display_data = [
        {"code": "display({ 'text/html': '<b>bold</b>', 'text/plain': 'bold' }, { raw: true })", "mime": "text/html"},
        {"code": "display(svg`<svg></svg>`)", "mime": "image/svg+xml"},
        {"code": "display(md`*emphasis*`)", "mime": "text/markdown"},
    ]
    code_history_pattern = "6 * ?"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "Math.hypot"
    code_clear_output = "clearOutput()"


if __name__ == "__main__":
    unittest.main(verbosity=2)
