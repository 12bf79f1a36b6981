import load from 'texts:console';
import { startApp } from '../start-app.tsx';
import { Console } from './console.tsx';

await startApp(load, ({ me }) => {
  if (me.is_admin) return <Console />;
  location.replace('/app');
  return undefined;
});
