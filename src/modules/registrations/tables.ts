import type { Generated } from 'kysely';
import type { TableDefinition } from '../../db/tables.ts';

export const registrationStatuses = ['pending', 'accepted', 'declined'] as const;
export type RegistrationStatus = (typeof registrationStatuses)[number];

/** Applications to become an affiliate. */
export interface RegistrationsTable {
  id: Generated<number>;
  user_id: number;
  /** The requested code; after acceptance, the assigned code. */
  coupon_code: string;
  status: RegistrationStatus;
  type: string;
  promote: string;
  referrer: string;
  website: string;
  /** A JSON object whose values are text. */
  custom_fields: string;
  /** The administrator's message with the decision. */
  message: Generated<string>;
  created_at: number;
  accepted_at: number | null;
  declined_at: number | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    registrations: RegistrationsTable;
  }
}

export const tables: readonly TableDefinition[] = [{ name: 'registrations', key: ['id'] }];
