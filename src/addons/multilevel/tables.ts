/** The share of one ancestor in one referral. */
export interface MlaSharesTable {
  order_id: number;
  coupon_id: number;
  /** 1 is the parent, 2 the parent's parent. */
  tier: number;
  upline_id: number;
  /** The coupon whose balance it is posted to. */
  upline_coupon_id: number;
  percent: string;
  amount: number;
  /** Amounts currently posted to the ledger for it. */
  awaiting: number;
  granted: number;
  /** The day of the order and whether it is counted: locates the share in the figures. */
  day: string;
  counted: number;
  /** When the held commission of the referral is granted, and with it this share. */
  release_at: number | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    mla_shares: MlaSharesTable;
  }
}
