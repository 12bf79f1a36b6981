export function addonFiles(root: string, place: string): string[];
export function readTexts(root: string, language: string): Record<string, Record<string, string>>;
