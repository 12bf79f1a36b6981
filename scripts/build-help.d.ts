/** Every document that is served, by the name that it has below /help. */
export function helpFiles(root: string): ReadonlyMap<string, string>;
