// The links of listings to the lines of their source, from texts as NVRTC, nvdisasm and g++ write them.
import { expect, test } from "vitest";
import { linkedAssembly, linkedPtx, linkedSass } from "../../dist/runtime/compiler/line-links.js";

const shown = ({ lines, from }: { lines: readonly string[]; from: readonly (readonly number[])[] }) =>
  lines.map((line, i) => `${line.trim()} <- ${from[i]?.join(" ")}`);

test("PTX: the innermost line first, then its callers; other files and declarations have none", () => {
  const text = `.visible .entry f(
)
{
	.reg .b32 	%r<3>;
	.loc	1 90 0
	mov.u32 	%r1, %ctaid.x;
	.loc	1 102 7
	add.s32 	%r1, %r1, 1;
	.loc	1 87 3, function_name $L__info_string0, inlined_at 1 102 7
	add.s32 	%r1, %r1, 2;
	.loc	1 73 3, function_name $L__info_string1, inlined_at 1 87 3
	mul.lo.s32 	%r2, %r1, %r1;
$L__BB0_1:
	.loc	2 5 1
	ret;
}
	.file	1 "f.cu"
	.file	2 "other.h"
	.section	.debug_str
	{
$L__info_string0:
.b8 95
	}
`;
  expect(shown(linkedPtx(text))).toEqual([
    ".visible .entry f( <- ",
    ") <- ",
    "{ <- ",
    ".reg .b32 \t%r<3>; <- ",
    "mov.u32 \t%r1, %ctaid.x; <- 90",
    "add.s32 \t%r1, %r1, 1; <- 102",
    "add.s32 \t%r1, %r1, 2; <- 87 102",
    "mul.lo.s32 \t%r2, %r1, %r1; <- 73 87 102",
    "$L__BB0_1: <- ",
    "ret; <- ",
    "} <- ",
    " <- ",
  ]);
});

test("SASS: an instruction keeps the place of the one before it until another is named", () => {
  const text = `
//--------------------- .text.f --------------------------
	.section	.text.f,"ax",@progbits
.text.f:
	//## File "/home/me/f.cu", line 90
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/              @!P0 BRA \`(.L_x_0) ;
	//## File "/home/me/f.cu", line 74 inlined at "/home/me/f.cu", line 87
	//## File "/home/me/f.cu", line 87 inlined at "/home/me/f.cu", line 110
	//## File "/home/me/f.cu", line 110
        /*0020*/                   FMUL R3, R10, R10 ;
.L_x_0:
	//## File "/usr/include/other.h", line 3
        /*0030*/                   EXIT ;
`;
  expect(linkedSass(text, "f.cu").lines.slice(0, 2)).toEqual([
    "/*0000*/       LDC R1, c[0x0][0x28] ;",
    "/*0010*/  @!P0 BRA `(.L_x_0) ;",
  ]);
  expect(shown(linkedSass(text, "f.cu")).slice(1)).toEqual([
    "/*0010*/  @!P0 BRA `(.L_x_0) ; <- 90",
    "/*0020*/       FMUL R3, R10, R10 ; <- 74 87 110",
    ".L_x_0: <- ",
    "/*0030*/       EXIT ; <- ",
  ]);
});

test("the host's assembly: debugging labels and directives are left out", () => {
  const text = `	.globl	f
f:
.LFB3:
	.file 1 "f.cpp"
	.loc 1 315 1 view -0
	.cfi_startproc
	movq	%rsi, %rax
.LVL1:
	.loc 2 7 1
	vmulss	%xmm0, %xmm0, %xmm0
	.loc 1 316 3 is_stmt 0
	ret
	.cfi_endproc
`;
  expect(shown(linkedAssembly(text))).toEqual([
    ".globl\tf <- ",
    "f: <- ",
    "movq\t%rsi, %rax <- 315",
    "vmulss\t%xmm0, %xmm0, %xmm0 <- ",
    "ret <- 316",
    " <- ",
  ]);
});
