import { invoke } from '../kernel/call/invoke.ts';
import { CommandError } from '../kernel/declare/command.ts';
import { verifyFiles, type FilesVerification } from '../modules/files/index.ts';
import { verifyLedger } from '../modules/ledger/index.ts';
import { countOf } from '../shared/count-of.ts';
import { textTable } from '../shared/text-table.ts';
import { print } from './output.ts';
import { withSite, type Flags } from './with-site.ts';

interface Verification {
  ok: boolean;
  coupons: number;
  entries: number;
  differences: {
    coupon_id: number;
    payout_id: number | null;
    pool: string;
    stored: number;
    recomputed: number;
    from: string;
  }[];
}

export async function verify(flags: Flags): Promise<void> {
  await withSite(flags, async (site) => {
    const found = await invoke<Verification>(site, verifyLedger);
    const files = await verifyFiles(site);
    print(flags.json, { ...found, files }, () => `${describe(found)}${describeFiles(files)}`);
    if (!found.ok) {
      throw new CommandError('refused', 'The balances do not agree with the ledger.');
    }
    if (files.differences.length > 0) {
      throw new CommandError('refused', 'Uploaded files are missing or were changed.');
    }
  });
}

function describe({ ok, coupons, entries, differences }: Verification): string {
  const checked = `${countOf(coupons, 'coupon')} and ${countOf(entries, 'ledger entry', 'ledger entries')} checked`;
  if (ok) return `${checked}: every balance agrees with the ledger.`;
  const rows = differences.map((d) => [
    String(d.coupon_id),
    String(d.payout_id ?? ''),
    d.pool,
    String(d.stored),
    String(d.recomputed),
    d.from,
  ]);
  return `${checked}.\n\n${textTable(['coupon', 'payout', 'pool', 'stored', 'recomputed', 'from'], rows)}`;
}

/** Nothing for an installation without files. */
function describeFiles({ checked, differences }: FilesVerification): string {
  if (checked === 0) return '';
  const summary = `\n${countOf(checked, 'file')} checked`;
  if (differences.length === 0) return `${summary}: each is as it was stored.`;
  const rows = differences.map(({ id, key, problem }) => [String(id), key, problem]);
  return `${summary}.\n\n${textTable(['file', 'key', 'problem'], rows)}`;
}
