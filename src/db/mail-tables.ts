import type { Generated } from 'kysely';

/** Mails, written with the change they tell about and sent afterwards. */
export interface OutboxTable {
  id: Generated<number>;
  template: string;
  to_address: string;
  to_name: string;
  subject: string;
  text: string;
  html: string;
  /** One mail for one event and recipient: a second one of the same key is not written. */
  key: string;
  state: string;
  attempts: Generated<number>;
  /** While a mail is being sent, the end of the lease: nobody else takes it before. */
  next_attempt_at: number;
  last_error: Generated<string>;
  created_at: number;
  sent_at: number | null;
}
