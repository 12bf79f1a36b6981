/** An answer without the fields that name ids, which differ from one world to another. */
export function without(answer: Record<string, unknown>, ...names: string[]) {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !names.includes(name)));
}
