import type { Reader } from '../../../db/database.ts';
import { ownersAt, type CouponOwner } from '../../coupons/index.ts';
import {
  findAccounts,
  isCandidate,
  keyOfAccount,
  withCodes,
  withIds,
  type AccountKey,
  type Candidate,
  type OwnedCoupon,
} from './candidate-rows.ts';

/** The coupons that orders may be credited to, with the affiliates who have, or had, them. */
export class Accounts {
  readonly #byCode = new Map<string, OwnedCoupon>();
  readonly #byId = new Map<number, OwnedCoupon>();
  /** Only of coupons that have changed hands since an order was placed. */
  readonly #owners = new Map<number, readonly CouponOwner[]>();
  /** Coupons with affiliates who do not have them now. */
  readonly #others = new Map<string, Candidate>();

  /** Codes are not unique: the oldest active coupon gets the order. */
  async readByCode(db: Reader, codes: ReadonlySet<string>): Promise<void> {
    const found = await db.allByKeys(withCodes, [...codes]);
    for (const coupon of found.toSorted((a, b) => a.id - b.id)) {
      if (!this.#byCode.has(coupon.code_folded)) this.#byCode.set(coupon.code_folded, coupon);
      this.#byId.set(coupon.id, coupon);
    }
  }

  async readByIds(db: Reader, ids: Iterable<number>): Promise<void> {
    const unknown = new Set(ids);
    for (const id of this.#byId.keys()) unknown.delete(id);
    for (const coupon of await db.allByKeys(withIds, [...unknown])) {
      this.#byId.set(coupon.id, coupon);
    }
  }

  /** Reads accounts that are not those of today, for orders from `earliestMs` on. */
  async readOthers(db: Reader, keys: readonly AccountKey[], earliestMs: number): Promise<void> {
    const handedOver = [...this.#byId.values()].filter(
      ({ owned_since }) => owned_since !== null && earliestMs < owned_since,
    );
    const owners = await ownersAt(
      db,
      handedOver.map(({ id }) => id),
    );
    for (const [id, rows] of Map.groupBy(owners, ({ coupon_id }) => coupon_id)) {
      this.#owners.set(id, rows);
    }
    const former = owners.flatMap(({ coupon_id, user_id }) =>
      user_id === null ? [] : [{ coupon_id, user_id }],
    );
    const unknown = [...keys, ...former].filter(
      ({ coupon_id, user_id }) => this.#byId.get(coupon_id)?.user_id !== user_id,
    );
    for (const account of await findAccounts(db, unknown)) {
      if (!isCandidate(account)) continue;
      const { id: coupon_id, user_id } = account;
      this.#others.set(keyOfAccount({ coupon_id, user_id }), account);
    }
  }

  affiliateIds(): Set<number> {
    const all = [...this.#byId.values(), ...this.#others.values()];
    return new Set(all.filter(isCandidate).map(({ user_id }) => user_id));
  }

  codeOf(couponId: number): string | undefined {
    return this.#byId.get(couponId)?.code_folded;
  }

  /** A coupon with an affiliate who is not suspended. */
  of(key: AccountKey): Candidate | undefined {
    const now = this.#byId.get(key.coupon_id);
    if (now?.user_id !== key.user_id) return this.#others.get(keyOfAccount(key));
    return isCandidate(now) ? now : undefined;
  }

  /** An active coupon with the affiliate who had it at a time. */
  at(couponId: number, timeMs: number): Candidate | undefined {
    const coupon = this.#byId.get(couponId);
    if (coupon?.coupon_status !== 'active') return undefined;
    const user_id =
      coupon.owned_since === null || timeMs >= coupon.owned_since
        ? coupon.user_id
        : this.#ownerAt(couponId, timeMs);
    return user_id === null ? undefined : this.of({ coupon_id: couponId, user_id });
  }

  withCode(code: string, timeMs: number): Candidate | undefined {
    const coupon = this.#byCode.get(code);
    return coupon && this.at(coupon.id, timeMs);
  }

  #ownerAt(couponId: number, timeMs: number): number | null {
    const owners = this.#owners.get(couponId) ?? [];
    return owners.findLast(({ since }) => since <= timeMs)?.user_id ?? null;
  }
}
