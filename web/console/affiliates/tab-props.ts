import type { AffiliateDetails } from '../../../sdk/src/index.ts';
import type { Address } from '../../frame/address.ts';

/** What a tab of an affiliate gets. */
export interface TabProps {
  readonly affiliate: AffiliateDetails;
  readonly address: Address;
}
