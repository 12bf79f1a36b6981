import { Dialog } from '../../ui/dialog.tsx';
import { t } from '../../words.ts';
import type { ConsoleScreen } from '../screens.ts';
import { letters } from './use-shortcuts.ts';
import './shortcut-help.css';

interface ShortcutHelpProps {
  screens: readonly ConsoleScreen[];
  onClose(): void;
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Every key of the console, and what it does. */
export function ShortcutHelp({ screens, onClose }: ShortcutHelpProps) {
  return (
    <Dialog title={t('console.shortcuts')} onClose={onClose}>
      <h3>{t('console-shortcuts.general')}</h3>
      <dl class="shortcuts">
        <Shortcut keys={[isApple ? '⌘' : 'Ctrl', 'K']} text={t('console-shortcuts.palette')} />
        <Shortcut keys={['/']} text={t('console-shortcuts.search')} />
        <Shortcut keys={['?']} text={t('console-shortcuts.help')} />
      </dl>
      <h3>{t('console-shortcuts.goTo')}</h3>
      <dl class="shortcuts">
        {screens.map(({ name }) => (
          <Shortcut
            key={name}
            keys={['G', letters[name].toUpperCase()]}
            isSequence
            text={t(`console.nav.${name}`)}
          />
        ))}
      </dl>
      <p class="muted">{t('console-shortcuts.off')}</p>
    </Dialog>
  );
}

interface ShortcutProps {
  keys: readonly string[];
  text: string;
  /** One after the other, instead of together. */
  isSequence?: boolean;
}

function Shortcut({ keys, text, isSequence = false }: ShortcutProps) {
  return (
    <div>
      <dt>{text}</dt>
      <dd>
        {keys.map((key, i) => (
          <>
            {i > 0 && isSequence && <span class="muted"> {t('console-shortcuts.then')} </span>}
            <kbd>{key}</kbd>
          </>
        ))}
      </dd>
    </div>
  );
}
