import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { hasCode, type CallOptions, type ForeignChange } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import type { Address } from '../../frame/address.ts';
import { reloadProgram } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';
import { discard, draft, dropChange, rebase } from './draft.ts';
import type { Effects } from './effects.ts';
import { loadSettings, wordsOf, type SettingForm } from './setting-schema.ts';

const ACCENT_FILES = '/app/brand/accent-';

interface ReviewProps {
  address: Address;
  form: SettingForm;
  effects: Effects;
}

/** All changes with their effects, before they are saved; then what others changed at the same time. */
export function Review({ address, form, effects }: ReviewProps) {
  const [, navigate] = useLocation();
  const [foreign, setForeign] = useState<readonly ForeignChange[]>([]);
  const { base, changes } = draft.value!;
  const close = () => navigate(address.hrefOf({ review: undefined }), { replace: true });
  const titleOf = (key: string) => form.settings.find((one) => one.key === key)?.title ?? key;
  const keys = Object.keys(changes);
  const others = foreign.filter(({ setting }) => !(setting in changes));

  const save = async (options: CallOptions) => {
    try {
      await api.settings.update(changes, { ...options, ifMatch: base.tag });
    } catch (error) {
      if (!hasCode(error, 'svc_api_changed_meanwhile')) throw error;
      setForeign(error.data.changed ?? []);
      rebase(await loadSettings());
      return;
    }
    // The fields show what is stored again, so that is loaded before.
    await Promise.all([reloadProgram(), refresh('settings', 'addons')]);
    if ('brand.accent' in changes) showAccent(String(changes['brand.accent']));
    close();
    discard();
  };

  return (
    <Dialog title={t('console-settings.reviewTitle')} onClose={close}>
      {foreign.length > 0 && (
        <Notice kind="warn">
          <strong>{t('console-settings.conflictTitle')}</strong>
          <p>{t('console-settings.conflictText')}</p>
        </Notice>
      )}
      {others.length > 0 && (
        <Facts
          facts={others.map((change) => ({ name: titleOf(change.setting), value: theirs(change) }))}
        />
      )}
      <Form
        action={t('console-settings.save', { count: keys.length })}
        submit={(_values, options) => save(options)}
      >
        <ul class="review-list">
          {keys.map((key) => {
            const change = foreign.find(({ setting }) => setting === key);
            return (
              <li key={key}>
                <h3>{titleOf(key)}</h3>
                <Facts
                  facts={[
                    change
                      ? { name: t('console-settings.theirsLabel'), value: theirs(change) }
                      : { name: t('console-settings.from'), value: wordsOf(base.values[key]) },
                    {
                      name: change ? t('console-settings.yoursLabel') : t('console-settings.to'),
                      value: <strong>{wordsOf(changes[key])}</strong>,
                    },
                  ]}
                />
                <Effect effects={effects} setting={key} />
                {change && (
                  <Button type="button" kind="quiet" onClick={() => dropChange(key)}>
                    {t('console-settings.keepTheirs')}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      </Form>
    </Dialog>
  );
}

function theirs({ value, by }: ForeignChange): string {
  return t('console-settings.theirs', {
    value: wordsOf(value),
    name: by?.name ?? t('console-settings.bySystem'),
  });
}

function Effect({ effects, setting }: { effects: Effects; setting: string }) {
  const texts = effects.texts.get(setting);
  const isRefused = effects.blocked.has(setting);
  if (texts) {
    return (
      <p class="setting-effect" data-refused={isRefused}>
        {texts.join(' ')}
      </p>
    );
  }
  const words = {
    loading: t('console-settings.computing'),
    ready: t('console-settings.noEffect'),
    failed: t('console-settings.unknownEffect'),
  };
  return <p class="muted">{words[effects.state]}</p>;
}

/** Lets this page have the new colours at once; the next one has them from the service. */
function showAccent(color: string): void {
  const known = document.head.querySelector<HTMLLinkElement>(`link[href^="${ACCENT_FILES}"]`);
  if (color === '') {
    known?.remove();
    return;
  }
  const link = known ?? document.createElement('link');
  link.rel = 'stylesheet';
  link.href = `${ACCENT_FILES}${color.slice(1)}.css`;
  document.head.append(link);
}
