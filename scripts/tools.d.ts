export function ensureTools(): void;
