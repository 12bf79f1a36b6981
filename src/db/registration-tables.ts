import type { Generated } from 'kysely';

/** Applications to become an affiliate. */
export interface RegistrationsTable {
  id: Generated<number>;
  user_id: number;
  /** The code asked for; once accepted, the code given. */
  coupon_code: string;
  status: string;
  type: string;
  promote: string;
  referrer: string;
  website: string;
  /** JSON, names to text. */
  custom_fields: string;
  /** What the administrator wrote with the decision. */
  message: Generated<string>;
  created_at: number;
  accepted_at: number | null;
  declined_at: number | null;
}
