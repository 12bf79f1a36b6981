import { connection } from '../data.ts';
import { t } from '../words.ts';

/** Says that data may be old, and that the portal goes on by itself. Always present, so that it is read out. */
export function ConnectionBanner() {
  const state = connection.value;
  return (
    <div role="status" class="connection-banner" data-shown={state !== 'good'}>
      {state === 'offline' && t('portal.connection.offline')}
      {state === 'failing' && t('portal.connection.failing')}
    </div>
  );
}
