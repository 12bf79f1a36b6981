import Type from 'typebox';
import { bounds, effectiveRange, rangeParameters } from '../../kernel/call/date-range.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { listLandingClicks } from './landing-days-rows.ts';

const PAGES_MAX = 50;

export const listLandingPages = operation({
  method: 'GET',
  namespace: 'store',
  path: '/clicks/landing-pages',
  summary: 'The pages of the store that visitors arrive at',
  description:
    'The 50 pages with most clicks, through referral links and from `/t.js`; clicks that the store sends have no ' +
    'page. Of each day 100 pages are counted by path, all others as `(other)`. New clicks are included after a few ' +
    'seconds.',
  access: 'admin',
  scope: 'read',
  query: Type.Object(rangeParameters),
  response: Type.Array(
    Type.Object(
      {
        path: Type.String({ description: 'The path of the page, without query.' }),
        clicks: Type.Integer({ description: 'Number of clicks that led to it.' }),
      },
      { $id: 'LandingPage', examples: [{ path: '/shoes/red', clicks: 120 }] },
    ),
  ),
  handle({ db, site, nowMs }, input) {
    const range = bounds(effectiveRange(input, site, nowMs));
    return listLandingClicks(db, { ...range, limit: PAGES_MAX });
  },
});
