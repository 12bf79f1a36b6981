import { useState } from 'preact/hooks';
import { hasCode, type AddOn } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { hasWord, inOwnWord, t } from '../../words.ts';

const KEY = 'addons.disabled';

interface SwitchAddOnProps {
  addOn: AddOn;
  onClose: () => void;
}

/** As the navigation calls it; an extension has the name of its code. */
export function nameOf({ name }: AddOn): string {
  const key = `console-add-ons.name.${name}`;
  return hasWord(key) ? t(key) : name;
}

/** Says what the switch leads to, then switches. */
export function SwitchAddOn({ addOn, onClose }: SwitchAddOnProps) {
  const { name, active } = addOn;
  const [problem, setProblem] = useState<string>();
  const { data } = useData('effects', { name, active }, () => plan(addOn));
  const title = active
    ? t('console-add-ons.switchOffTitle', { name: nameOf(addOn) })
    : t('console-add-ons.switchOnTitle', { name: nameOf(addOn) });
  return (
    <Dialog title={title} onClose={onClose}>
      {problem && <Notice kind="warn">{problem}</Notice>}
      <Form
        kind={active ? 'danger' : 'primary'}
        action={active ? t('console-add-ons.switchOff') : t('console-add-ons.switchOn')}
        submit={async (_values, options) => {
          const { changes, tag } = data ?? (await plan(addOn));
          try {
            await api.settings.update(changes, { ...options, ifMatch: tag });
            await refresh('addons', 'settings');
            onClose();
          } catch (error) {
            if (!hasCode(error, 'svc_api_changed_meanwhile')) throw error;
            const by = error.data.changed?.[0]?.by?.name ?? t('console-add-ons.system');
            setProblem(t('console-add-ons.conflict', { name: by }));
            await refresh('addons', 'effects', 'settings');
          }
        }}
      >
        {data?.texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </Form>
    </Dialog>
  );
}

async function plan({ name, active }: AddOn) {
  let tag = '';
  const values = await api.settings.get({
    onHeaders: (headers) => (tag = headers.get('etag') ?? ''),
  });
  const off = values[KEY].filter((one) => one !== name);
  const changes = { [KEY]: active ? [...off, name] : off };
  const { effects } = await api.settings.effects(changes);
  return { changes, tag, texts: effects.map(({ text }) => inOwnWord(text)) };
}
