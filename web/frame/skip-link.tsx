import { t } from '../words.ts';
import './skip-link.css';

/** The first stop of the keyboard: past the navigation. */
export function SkipLink() {
  return (
    <a class="skip-link" href="#content">
      {t('common.skipToContent')}
    </a>
  );
}
