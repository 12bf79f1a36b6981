import { connection } from '../data.ts';
import { t } from '../words.ts';
import './connection-banner.css';

/** Says that data may be old, and that the page goes on by itself. Always present, so that it is read out. */
export function ConnectionBanner() {
  const state = connection.value;
  return (
    <div role="status" class="connection-banner" data-shown={state !== 'good'}>
      {state === 'offline' && t('common.connection.offline')}
      {state === 'failing' && t('common.connection.failing')}
    </div>
  );
}
