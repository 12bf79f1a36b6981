const { addons = '' } = document.getElementById('app')!.dataset;
const active: ReadonlySet<string> = new Set(addons.split(' '));

/** Whether this add-on was on when the page was loaded. */
export function hasAddon(name: string): boolean {
  return active.has(name);
}
