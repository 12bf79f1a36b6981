import type { Reader } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { foldCode } from './coupon-rows.ts';
import { CODE_LENGTH_MAX } from './coupon-wire.ts';

const NUMBERS_TRIED = 50;
const RANDOM_LENGTH = 8;

const byCode = query<{ code_folded: string }, { id: number }>((db, p) =>
  db.selectFrom('coupons').select('id').where('code_folded', '=', p.code_folded).limit(1),
);

/** A code that no coupon has, ignoring case: the requested one, or one with a number added, such as SAVE2. */
export async function freeCode(db: Reader, requested: string): Promise<string> {
  const endings = Array.from({ length: NUMBERS_TRIED }, (_, i) => (i === 0 ? '' : String(i + 1)));
  for (const ending of endings) {
    const code = withEnding(requested, ending);
    if (!(await db.first(byCode, { code_folded: foldCode(code) }))) return code;
  }
  return withEnding(requested, randomBase62(RANDOM_LENGTH));
}

/** Cuts between code points, because half of a surrogate pair is not valid text. */
function withEnding(requested: string, ending: string): string {
  return [...requested].slice(0, CODE_LENGTH_MAX - ending.length).join('') + ending;
}
