import { domainToASCII } from 'node:url';

interface Hosts {
  readonly exact: ReadonlySet<string>;
  /** Each begins with a dot. */
  readonly suffixes: readonly string[];
}

/** The list is the same object until the rule is changed. */
const prepared = new WeakMap<readonly string[], Hosts>();

/** Whether a host is in the list. `*.deals.example` stands for all hosts below `deals.example`, and not for itself. */
export function isBanned(host: string, list: readonly string[]): boolean {
  if (host === '' || list.length === 0) return false;
  let hosts = prepared.get(list);
  if (!hosts) prepared.set(list, (hosts = prepare(list)));
  return hosts.exact.has(host) || hosts.suffixes.some((suffix) => host.endsWith(suffix));
}

function prepare(list: readonly string[]): Hosts {
  const exact = new Set<string>();
  const suffixes: string[] = [];
  for (const one of list) {
    const host = domainToASCII(one.replace(/^\*\./, ''));
    if (one.startsWith('*.')) suffixes.push(`.${host}`);
    else exact.add(host);
  }
  return { exact, suffixes };
}
