import { readFileSync } from 'node:fs';
import type { Scope } from '../../src/kernel/declare/caller.ts';
import type { Access, Operation } from '../../src/kernel/declare/operation.ts';

/** The reviewed list. A test compares it with the registry, and the access matrix expects what it says. */
export const ACCESS_LIST = new URL('../access-list.txt', import.meta.url);

const HEADER = `# Every route of the pro edition: who may call it, and with which scope of an API key.
# Reviewed by hand. A route that is new or whose access changes fails test/access-matrix.test.ts until
# this list says so too: regenerate it with "node scripts/write-access-list.ts" and review the diff.
#
# Columns: method, path, access, scope, then exceptions:
#   public-setting    a setting restricts this public route to admins
#   signs-in          takes a password, so a 401 counts towards the lock-out
#   while-suspended   a change that a suspended affiliate may make
#   refresh=<scope>   a parameter turns this read into a change, which needs that scope too
#   proof             a session needs a recent proof of identity: proof=input for some inputs, proof=rows by stored rows.
#                     The other changes are in test/support/without-proof.ts, each with the reason
`;

/** One route of the list. */
export interface ListedAccess {
  readonly access: Access;
  readonly scope: Scope | null;
  readonly exceptions: readonly string[];
}

export function accessListText(operations: readonly Operation[]): string {
  const rows = operations
    .map(({ method, url, access, scope, ...op }) => [
      method,
      url,
      access,
      scope ?? '-',
      ...(op.publicUnless ? ['public-setting'] : []),
      ...(op.signsIn ? ['signs-in'] : []),
      ...(op.whileSuspended ? ['while-suspended'] : []),
      ...(op.refresh ? [`refresh=${op.refresh.scope}`] : []),
      ...proofOf(op),
    ])
    .sort((a, b) => compare(a[1]!, b[1]!) || compare(a[0]!, b[0]!));
  const widths = [0, 1, 2, 3].map((i) => Math.max(...rows.map((row) => row[i]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${HEADER}\n${lines.join('\n')}\n`;
}

function proofOf({ proof }: Pick<Operation, 'proof'>): string[] {
  if (proof === undefined) return [];
  if (proof === true) return ['proof'];
  return [proof === 'sometimes' ? 'proof=rows' : 'proof=input'];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The keys are method and path: `GET /svc/v2/keys`. */
export function readAccessList(): ReadonlyMap<string, ListedAccess> {
  const lines = readFileSync(ACCESS_LIST, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [method, path, access, scope, ...exceptions] = line.split(/ +/);
      // The comparison with the registry fails for a word that is neither an access nor a scope.
      const listed = { access: access as Access, scope: scope === '-' ? null : (scope as Scope) };
      return [`${method} ${path}`, { ...listed, exceptions }];
    }),
  );
}
