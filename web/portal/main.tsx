import load from 'texts:portal';
import { Router } from 'wouter-preact';
import { startApp } from '../start-app.tsx';
import { withView } from '../view-as.ts';
import { Portal } from './portal.tsx';

await startApp(load, () => (
  <Router hrefs={withView} aroundNav={(navigate, to, options) => navigate(withView(to), options)}>
    <Portal />
  </Router>
));
