/** A status that many payouts can get at once. */
export type BulkAct = 'created' | 'paid' | 'cancel';

/** The views of the list: which statuses each shows, and what can be done with many of them. */
export const tabs = {
  review: { status: 'pending', sort: 'created', acts: ['created', 'paid', 'cancel'] },
  progress: { status: 'created,processing', sort: '-updated', acts: ['paid', 'cancel'] },
  failed: { status: 'failed', sort: '-updated', acts: [] },
  paid: { status: 'paid', sort: '-updated', acts: [] },
  cancelled: { status: 'cancel', sort: '-updated', acts: [] },
} as const satisfies Record<string, { status: string; sort: string; acts: readonly BulkAct[] }>;

export type TabName = keyof typeof tabs;

/** In the order of the screen. The first is the one that needs a person. */
export const tabNames: readonly TabName[] = ['review', 'progress', 'failed', 'paid', 'cancelled'];

/** The tabs whose number of payouts is shown, because they wait for a person or for a bank. */
export const countedTabs = ['review', 'progress', 'failed'] as const satisfies readonly TabName[];
