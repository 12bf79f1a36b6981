import type { AffiliateDetails } from '../../../sdk/src/index.ts';

/** What the form of an act on an affiliate gets. */
export interface ActFormProps {
  readonly affiliate: AffiliateDetails;
  readonly tags: readonly string[];
  onClose(): void;
}
