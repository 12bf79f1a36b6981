import type { FunctionComponent } from 'preact';
import type { AffiliateBalance } from '../../../sdk/src/index.ts';

/** What an add-on shows on the screen of the money. */
export interface MoneyPart {
  /** Above the sum of the balance. */
  readonly Above: FunctionComponent<{ balance: AffiliateBalance }>;
  /** Above the statement. */
  readonly Below: FunctionComponent;
  readonly Dialogs: FunctionComponent<{ balance: AffiliateBalance | undefined }>;
}
