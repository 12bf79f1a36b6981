import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { NewStoreConnection } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import type { Address } from '../../../web/frame/address.ts';
import { Field } from '../../../web/ui/field.tsx';
import { Form, type FormValues } from '../../../web/ui/form.tsx';
import { hasWord, t } from '../../../web/words.ts';
import { SwitchField } from '../../../web/ui/switch-field.tsx';
import { askStore, connectedAs, type ConnectedAs } from './ask-store.ts';
import { Notice } from '../../../web/ui/notice.tsx';
import { CredentialFields, credentialsIn } from './credential-fields.tsx';
import type { StoreKind } from './connection-state.tsx';
import { StepList } from './step-list.tsx';
import { HowTo, keyWaysOf, nameOf, WayChoice, type Way } from './ways.tsx';

interface ConnectFormProps {
  kind: StoreKind;
  address: Address;
  onConnected(connection: NewStoreConnection): void;
}

export function ConnectForm({ kind, address, onConnected }: ConnectFormProps) {
  const ways = waysOf(kind);
  const [way, setWay] = useState<Way>(ways[0]!);
  const [refusal, setRefusal] = useState<string>();
  const [existing, setExisting] = useState<ConnectedAs>();

  const submit = async (values: FormValues, options: object) => {
    setRefusal(undefined);
    try {
      await connect(values, options);
    } catch (error) {
      const found = connectedAs(error);
      if (!found) throw error;
      setExisting(found);
    }
  };

  const connect = async (values: FormValues, options: object) => {
    const { name = '', url = '', replace, another } = values;
    const store = {
      kind: kind.kind,
      url,
      ...(name !== '' && { name }),
      ...(replace !== undefined && { replace: true }),
      ...(another !== undefined && { another: true }),
    };
    if (way.by === 'approve') {
      const { approve_url } = await api.connectionRequests.create(store, options);
      location.assign(approve_url);
      return;
    }
    const credentials = way.by === 'keys' ? credentialsIn(kind, values) : {};
    const asked = await askStore(options, (call) =>
      api.connections.create({ ...store, credentials }, call),
    );
    if ('refusal' in asked) {
      setRefusal(asked.refusal);
      return;
    }
    onConnected(asked.value);
    await refresh('stores', 'overview');
  };

  return (
    <>
      <WayChoice kind={kind} ways={ways} current={way} onChoose={setWay} />
      <HowTo kind={kind} way={way} />
      {refusal !== undefined && <StepList steps={[]} refusal={refusal} />}
      {existing && (
        <Notice kind="warn">
          {t('console-stores.already')}{' '}
          <Link href={`/console/stores/${existing.id}`}>{existing.name}</Link>.{' '}
          {t('console-stores.alreadyText')}
        </Notice>
      )}
      <Form
        action={t(way.by === 'approve' ? 'console-stores.approveNow' : 'console-stores.connectNow')}
        showsReasons
        submit={submit}
        beside={
          <Link class="button" data-kind="quiet" href={address.hrefOf({ connect: 'choose' })}>
            {t('console-stores.otherKind')}
          </Link>
        }
      >
        {existing &&
          (['replace', 'another'] as const).map((name) => (
            <SwitchField
              key={name}
              name={name}
              label={t(`console-stores.${name}`)}
              hint={t(`console-stores.${name}Hint`)}
              isOn={false}
            />
          ))}
        <AboutFields kind={kind} />
        <CredentialFields key={nameOf(way)} kind={kind} names={way.names} />
      </Form>
    </>
  );
}

function AboutFields({ kind }: { kind: StoreKind }) {
  const hint = `console-stores.urlHint.${kind.kind}`;
  return (
    <>
      {kind.needs_url && (
        <Field
          name="url"
          label={t('console-stores.url')}
          hint={hasWord(hint) ? t(hint) : t('console-stores.urlHint.unknown')}
          inputMode="url"
          autocomplete="off"
          autocapitalize="off"
          defaultValue={kind.suggested_url ?? undefined}
          required
          maxLength={2048}
        />
      )}
      <Field
        name="name"
        label={t('console-stores.name')}
        hint={t(kind.needs_url ? 'console-stores.nameHintHost' : 'console-stores.nameHint')}
        defaultValue={kind.needs_url ? undefined : kind.label}
        autocomplete="off"
        required={!kind.needs_url}
        maxLength={100}
      />
    </>
  );
}

function waysOf(kind: StoreKind): Way[] {
  const approve: Way = { by: 'approve', names: [] };
  return [...(kind.can_approve ? [approve] : []), ...keyWaysOf(kind), { by: 'receive', names: [] }];
}
