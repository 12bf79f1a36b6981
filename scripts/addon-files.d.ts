export function addonFiles(root: string, place: string): string[];
export function addonGuides(root: string): Map<string, string>;
export function screenOf(
  path: string,
): { readonly app: 'console' | 'portal'; readonly name: string } | undefined;
export function readTexts(root: string, language: string): Record<string, Record<string, string>>;
