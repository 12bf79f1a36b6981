/** Types of `processor-seconds.js`, which each test process loads without compiling it first. */
export function processorSeconds(): number;
