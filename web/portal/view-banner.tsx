import { useSession } from '../session.ts';
import { t } from '../words.ts';
import './view-banner.css';

/** Says whose portal this is and that nothing can be changed, with the way back to the console. */
export function ViewBanner() {
  const { me, isView } = useSession();
  if (!isView) return null;
  return (
    <div class="view-banner" role="status">
      <span>{t('portal.viewing', { name: me.user.display_name })}</span>
      <a href={`/console/affiliates/${me.user.id}`}>{t('portal.viewingBack')}</a>
    </div>
  );
}
