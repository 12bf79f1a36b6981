import { connection } from '../data.ts';
import { t } from '../words.ts';
import { Announcer } from './announcer.tsx';
import { UnexpectedNotice } from './unexpected-notice.tsx';
import './page-status.css';

/** Above every screen: the state of the connection, what failed unexpectedly, and what is only read out. */
export function PageStatus() {
  return (
    <>
      <ConnectionBanner />
      <UnexpectedNotice />
      <Announcer />
    </>
  );
}

/** Says that data may be old, and that the page goes on by itself. Always present, so that it is read out. */
function ConnectionBanner() {
  const state = connection.value;
  return (
    <div role="status" class="connection-banner" data-shown={state !== 'good'}>
      {state !== 'good' && t(`common.connection.${state}`)}
    </div>
  );
}
