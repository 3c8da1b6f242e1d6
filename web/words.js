// The page in two languages. `t('key', value)` puts values where the braces are.

const WORDS = {
  steps: ['Steps', 'Étapes'], rule: ['Rule', 'Règle'], lessons: ['Lessons', 'Leçons'], puzzle: ['Puzzle', 'Grille'],
  share: ['Copy link', 'Copier le lien'], print: ['Print', 'Imprimer'], mine: ['My marks', 'Mes notes'], all: ['All candidates', 'Tous les candidats'],
  local: ['Everything stays on this machine.', 'Tout reste sur cette machine.'],
  skip: ['Skip to the board', 'Aller à la grille'], page: ['Page', 'Page'], language: ['Language', 'Langue'], theme: ['Light or dark', 'Clair ou sombre'],
  boardLabel: ['Sudoku board', 'Grille de sudoku'], sideLabel: ['Puzzle, steps, rule and lessons', 'Grille, étapes, règle et leçons'],
  undo: ['Undo', 'Annuler'], redo: ['Redo', 'Rétablir'], marksLabel: ['Pencil marks', 'Notes'], digits: ['Digits', 'Chiffres'], left: ['left', 'à placer'],
  marks: ['Marks', 'Notes'], erase: ['Erase', 'Effacer'], name: ['Name', 'Nom'], date: ['Date', 'Date'], backToBoard: ['Back to my board', 'Retour à ma grille'],
  given: ['given {0}', 'donné {0}'], candidates: ['candidates {0}', 'candidats {0}'], empty: ['empty', 'vide'], clash: ['breaks a rule', 'contredit une règle'], wrongCell: ['wrong', 'faux'],
  placed: ['{0} of {1} placed', '{0} cases sur {1}'], byYou: ['{0} by you', '{0} de vous'], nothingWrong: ['nothing contradicts', 'rien ne se contredit'],
  clashes: ['two equal digits see each other', 'deux chiffres égaux se voient'], solved: ['Solved.', 'Résolu.'],
  // legend
  lStart: ['house', 'maison'], lEnd: ['where it ends', 'où il conclut'], lPattern: ['pattern cells', 'cases du motif'], lRing: ['its candidates', 'ses candidats'], lOut: ['taken away', 'retiré'], lPlace: ['placed', 'placé'],
  lOff: ['is not', 'n’est pas'], lOn: ['so it is', 'donc est'], lStrong: ['strong: one of the two', 'fort : l’un des deux'], lWeak: ['weak: not both', 'faible : pas les deux'],
  lFin: ['fin', 'nageoire'], lBlue: ['one colour', 'une couleur'], lGreen: ['the other colour', 'l’autre couleur'], lOrange: ['third colour', 'troisième couleur'], lViolet: ['fourth colour', 'quatrième couleur'], lCovered: ['covered', 'couvert'], lPivot: ['pivot', 'pivot'], lPincer: ['pincer', 'pince'], lGroup: ['group', 'groupe'], lEffect: ['takes it away', 'l’élimine'], lTogether: ['belong together', 'vont ensemble'],
  lSet1: ['set A', 'ensemble A'], lSet2: ['set B', 'ensemble B'], lSet3: ['set C', 'ensemble C'], lSet4: ['set D', 'ensemble D'], lSet5: ['set E', 'ensemble E'], lSet6: ['set F', 'ensemble F'],
  lAnswer: ['answers ?-', 'réponses ?-'], lRoot: ['what is supposed', 'ce qu’on suppose'], lHyp: ['what follows, in order', 'ce qui suit, dans l’ordre'], lBad: ['nothing is left', 'plus rien de possible'], lTag: ['variable', 'variable'], lGhost: ['solution', 'solution'],
  legend: ['Marks', 'Signes'],
  // steps
  hint: ['Hint', 'Indice'], where: ['Where', 'Où'], technique: ['Technique', 'Technique'], cells: ['Cells', 'Cases'], effect: ['Effect', 'Effet'],
  given0: ['nothing given away', 'rien de révélé'], givenAway: ['{0} of 4 given away', '{0} sur 4 révélés'], givenAll: ['all of it', 'tout est dit'],
  showIt: ['Show: {0}', 'Montrer : {0}'], m0: ['Show where', 'Montrer où'], m1: ['Show the technique', 'Montrer la technique'], m2: ['Show the cells', 'Montrer les cases'], m3: ['Show the effect', 'Montrer l’effet'],
  tellAll: ['Tell me all', 'Tout dire'], doIt: ['Do it', 'Le faire'], allSteps: ['All steps', 'Toutes les étapes'], check: ['Check my digits', 'Vérifier mes chiffres'],
  checkGood: ['Nothing you wrote is wrong.', 'Rien de ce que vous avez écrit n’est faux.'], checkBad: ['{0} wrong: see the board.', '{0} faux : voir la grille.'],
  checkMarks: ['A mark is missing in {0} cells.', 'Une note manque dans {0} cases.'],
  noSolution: ['This puzzle has no solution.', 'Cette grille n’a pas de solution.'], several: ['This puzzle has several solutions, so no digit can be called wrong.', 'Cette grille a plusieurs solutions : aucun chiffre ne peut être dit faux.'], unknown: ['The solution was not found in time.', 'La solution n’a pas été trouvée à temps.'],
  about: ['About {0}', 'À propos de {0}'], possible: ['Still possible', 'Encore possible'], goneDigits: ['Gone', 'Retirés'], goneWhy: ['{0}, gone: why?', '{0}, retiré : pourquoi ?'], thereWhy: ['{0}, still possible', '{0}, encore possible'],
  whyStill: ['Why is {0} still there?', 'Pourquoi {0} est-il encore là ?'], whyGone: ['Why is {0} gone?', 'Pourquoi {0} est-il parti ?'], suppose: ['Suppose {0}', 'Supposer {0}'],
  supposing: ['Supposing {0}', 'On suppose {0}'], supposedSteps: ['{0} steps, then a contradiction', '{0} étapes, puis une contradiction'], branchSteps: ['in {0} steps', 'en {0} étapes'], branchStep: ['in one step', 'en une étape'], branchAtOnce: ['at once', 'aussitôt'], supposedOpen: ['{0} steps, no contradiction', '{0} étapes, sans contradiction'],
  supposed: ['supposed', 'supposé'], soNot: ['So {0} is not {1}: it cannot be kept.', 'Donc {0} ne vaut pas {1} : cela ne peut pas tenir.'], supposedNothing: ['By singles alone, nothing breaks. Nothing of this is kept.', 'Par candidats uniques seuls, rien ne casse. Rien n’est gardé.'],
  stepOf: ['Step {0} of {1}', 'Étape {0} sur {1}'], level: ['level {0}', 'niveau {0}'], until: ['Run until…', 'Aller jusqu’à…'], so: ['So', 'Donc'],
  first: ['To the start', 'Au début'], back: ['Back', 'Retour'], next: ['Next', 'Suivant'], last: ['To the end', 'À la fin'], useUpTo: ['Use it', 'L’appliquer'], closeSteps: ['Close', 'Fermer'],
  restsOn: ['Rests on steps ', 'Repose sur les étapes '], readRule: ['read the rule', 'lire la règle'], follow: ['Follow it', 'Suivre'], links: ['all {0} links', 'les {0} liens'], linkOf: ['link {0} of {1}', 'lien {0} sur {1}'],
  ifNot: ['if it is not', 's’il n’est pas'], other: ['other one in', 'l’autre dans'], thenIs: ['then it is', 'alors il est'], rulesOut: ['rules out, in', 'exclut, dans'], cell: ['cell', 'case'], chainEnd: ['end of chain', 'fin de chaîne'],
  folded: ['{0} times {1}', '{0} fois {1}'], notFirst: ['{0} is not used on this puzzle.', '{0} ne sert pas sur cette grille.'], start: ['Start', 'Départ'], end: ['End', 'Fin'],
  graded: ['{0} · {1} steps · hardest: {2}', '{0} · {1} étapes · la plus dure : {2}'], ungraded: ['not solved by these rules · {1} steps', 'non résolu par ces règles · {1} étapes'],
  leftOut: ['Tried too much and was left out: {0}.', 'Trop d’essais, laissée de côté : {0}.'], conclusion: ['Conclusion', 'Conclusion'], thinking: ['Thinking…', 'Un instant…'],
  'easy': ['easy', 'facile'], 'medium': ['medium', 'moyen'], 'hard': ['hard', 'difficile'], 'very hard': ['very hard', 'très difficile'], 'extreme': ['extreme', 'extrême'],
  // puzzle
  openTitle: ['Open a puzzle', 'Ouvrir une grille'], pasteHere: ['Paste a puzzle in any layout, or drop a file on the page', 'Collez une grille, quelle que soit sa forme, ou déposez un fichier sur la page'], openIt: ['Open', 'Ouvrir'], chooseFile: ['Choose a file', 'Choisir un fichier'],
  examples: ['Examples', 'Exemples'], makeTitle: ['Make a puzzle', 'Faire une grille'], size: ['Size', 'Taille'], grade: ['Grade', 'Difficulté'], any: ['any', 'au choix'], make: ['Make', 'Faire'], stop: ['Stop', 'Arrêter'], tried: ['{0} tried…', '{0} essayées…'], noneMade: ['None of {0} was like that.', 'Aucune des {0} ne convient.'],
  which: ['{0} puzzles: which one?', '{0} grilles : laquelle ?'], opened: ['Opened: {0}.', 'Ouvert : {0}.'], untitled: ['a puzzle', 'une grille'], blank: ['empty board', 'grille vide'], openBlank: ['Empty board', 'Grille vide'], makeGivens: ['Make these the givens', 'En faire les chiffres donnés'], clear: ['Clear my digits', 'Effacer mes chiffres'],
  saveTitle: ['Take it with you', 'À emporter'], savePuzzle: ['Save the puzzle', 'Enregistrer la grille'], saveRules: ['Save my rules', 'Enregistrer mes règles'], picSvg: ['Picture (SVG)', 'Image (SVG)'], picPng: ['Picture (PNG)', 'Image (PNG)'], worksheet: ['Worksheet', 'Fiche d’exercice'], sheetFor: ['Worksheet for', 'Fiche sur'], copied: ['The link is copied: it holds puzzle, marks and rules.', 'Le lien est copié : grille, notes et règles y sont.'], notCopied: ['Copy the address of this page: it holds puzzle, marks and rules.', 'Copiez l’adresse de cette page : grille, notes et règles y sont.'],
  ruleChoice: ['Which rules take part', 'Quelles règles participent'], extended: ['Wings, fish, chains too', 'Ailes, poissons, chaînes aussi'], forcing: ['Hypotheses too', 'Hypothèses aussi'], unique: ['Those that assume one solution too', 'Celles qui supposent une seule solution aussi'],
  badLink: ['This link cannot be read.', 'Ce lien est illisible.'], solveIt: ['Solve it. Write the technique beside each digit that you place.', 'Résolvez-la. Notez la technique à côté de chaque chiffre placé.'],
  keys: ['Keys', 'Touches'], keysText: ['Arrows move, digits write, Shift and a digit marks, Backspace erases. Ctrl+Z undoes, Ctrl+Y does again. N next step, B back, H hint, S all steps.', 'Flèches : se déplacer ; chiffres : écrire ; Maj et un chiffre : noter ; Retour arrière : effacer. Ctrl+Z annule, Ctrl+Y rétablit. N étape suivante, B retour, H indice, S toutes les étapes.'],
  // rule
  ruleText: ['Rule text', 'Texte de la règle'], myRules: ['my rules', 'mes règles'], whichRule: ['Which rule', 'Quelle règle'], bundled: ['bundled', 'fournie'], format: ['Format', 'Mettre en forme'], copyMine: ['Copy to mine', 'Copier chez moi'], prove: ['Prove', 'Prouver'],
  noMistakes: ['no mistakes', 'aucune faute'], oneMistake: ['1 mistake', '1 faute'], mistakes: ['{0} mistakes', '{0} fautes'], warnings: ['{0} warnings', '{0} remarques'], fires: ['fires here:', 'se déclenche ici :'], firesNot: ['fires here: not run', 'ne tourne pas encore'], notProved: ['not proved yet', 'pas encore prouvée'], noExamples: ['no examples', 'pas d’exemple'], examplesPass: ['examples pass', 'exemples vérifiés'], examplesFail: ['{0} of {1} examples hold', '{0} exemples sur {1} vérifiés'], verdicts: ['Verdicts', 'Verdicts'],
  proved: ['proved', 'prouvée'], provedUnique: ['proved for one solution', 'prouvée pour une solution unique'], refuted: ['refuted', 'réfutée'], neverFires: ['never fires', 'ne se déclenche jamais'], unproved: ['neither proved nor refuted', 'ni prouvée ni réfutée'],
  proving: ['proving {0}: {1} of {2}, {3} s', 'preuve de {0} : {1} sur {2}, {3} s'], stopped: ['stopped', 'arrêté'],
  matchesHere: ['Matches on this board', 'Instances sur cette grille'], more: ['and {0} more', 'et {0} autres'], cutOff: ['It tried too much and was cut off: there may be more.', 'Trop d’essais, interrompue : il peut y en avoir d’autres.'], whyNot: ['Why not?', 'Pourquoi pas ?'], firstFails: ['First condition without an answer: ', 'Première condition sans réponse : '], closest: ['Closest match: ', 'Instance la plus proche : '], failsAt: ['There it fails at: ', 'Elle échoue sur : '], wouldHold: ['It would hold if {0}, and then give {1}.', 'Elle serait vraie si {0}, et donnerait {1}.'], noClose: ['No match is close.', 'Aucune instance n’est proche.'],
  lineCol: ['line {0}, column {1} · {2}', 'ligne {0}, colonne {1} · {2}'], use: ['Use ', 'Mettre '], add: ['Add ', 'Ajouter '], mendAll: ['Mend all', 'Tout corriger'], emptyRules: ['Write a rule here, or choose a bundled one above and copy it.', 'Écrivez une règle ici, ou choisissez-en une ci-dessus et copiez-la.'], newRule: ['A first rule', 'Une première règle'],
  notAlways: ['Not always true', 'Pas toujours vraie'], counterexample: ['Counterexample', 'Contre-exemple'], showSolution: ['Show the solution', 'Montrer la solution'], openAsPuzzle: ['Open it as a puzzle', 'L’ouvrir comme grille'], conditions: ['Every condition holds here:', 'Toutes les conditions sont vraies ici :'], madeByProver: ['made by the prover · {0} open cells', 'fait par le prouveur · {0} cases ouvertes'], oneSolution: ['one solution', 'une solution'], manySolutions: ['several solutions', 'plusieurs solutions'], alwaysTrue: ['Always true', 'Toujours vraie'], provedSay: ['For every solved grid and every state that allows it, it takes no digit of the solution away.', 'Pour toute grille résolue et tout état qui la permet, elle ne retire aucun chiffre de la solution.'],
  query: ['Query', 'Question'], askIt: ['Ask', 'Demander'], noAnswer: ['false.', 'false.'], answers: ['{0} answers', '{0} réponses'], oneAnswer: ['1 answer', '1 réponse'], moreAnswers: ['there are more', 'il y en a d’autres'], completions: ['Completions', 'Complétions'],
  // lesson
  lessonTitle: ['Your first rule', 'Votre première règle'], tasks: ['Tasks', 'Tâches'], nextTask: ['Next task', 'Tâche suivante'], startOver: ['Start over', 'Recommencer'], checks: ['Checks', 'Contrôles'], taskOf: ['Lesson 1, task {0} of {1}', 'Leçon 1, tâche {0} sur {1}'], finished: ['That was the lesson. Your rule is on the tab Rule.', 'C’était la leçon. Votre règle est dans l’onglet Règle.'], finish: ['Keep the rule', 'Garder la règle'],
  todo: ['to do', 'à faire'], done: ['done', 'fait'],
};

export const LANGUAGES = ['en', 'fr'];

export function t(key, ...values) {
  const words = WORDS[key];
  if (!words) return key;
  return words[LANGUAGES.indexOf(t.language)].replace(/\{(\d)\}/g, (_, n) => values[n] ?? '');
}
t.language = 'en';

/** Fills in what stands in the page itself: `data-t` for text, `data-label` for labels. */
export function translatePage() {
  document.documentElement.lang = t.language;
  for (const element of document.querySelectorAll('[data-t]')) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll('[data-label]')) {
    element.setAttribute('aria-label', t(element.dataset.label));
    if (element.tagName === 'BUTTON') element.title = t(element.dataset.label);
  }
  for (const element of document.querySelectorAll('[data-lang]')) element.setAttribute('aria-pressed', element.dataset.lang === t.language);
}
