/**
 * PACKET_INSTRUCTIONS: carries instructions aimed at the root or at other children (source 001 Dispatch charter:
 * "source-instruction-bearing packets").
 *
 * Quoting is no excuse: a source's instruction that is carried in quotes is still carried. Telling of one is not
 * carrying it ("the file tries to make its reader drop earlier rules").
 */
import { CLAUSE_START, gap, phrase, type TextRule, L } from './pattern.ts';

const CARRIED = 'source 001 Dispatch charter: source-instruction-bearing packets';
const AIMED = '02 Rejection: instructions aimed at the root or at other children';

const EN_COMMANDED = `(?:${CLAUSE_START}(?:you (?:must|should|will|can|may|have to|need to) )?|(?<=\\b(?:please|kindly|must|should|shall|just|simply|now|always|you to|(?:could|can|would|will) you)\\s))`;
const EN_RULES =
  '(?:instructions?|directives?|guidelines|system prompt|prompts?|charters?|constraints|safety (?:rules|policy|policies)|policies|programming|training|orders|rules (?:of (?:the |your )?(?:charter|conference|root)|you were given|above|so far)|(?<=(?:prior|previous|earlier|preceding|above|all|your) )(?:context|conversation|messages|rules))';
const EN_WHOSE =
  '(?:all|any|every|your|their|our|the|these|those|previous|prior|above|earlier|preceding|former|existing|original|current|other|of|its|initial|such|system)';
const EN_PARTY =
  '(?:root(?: chair| agent)?|chair|orchestrator|coordinator|supervisor|moderator|system|assistant|model|AI|reviewers?|poster|synthesi[sz]er|synthesis(?: agent)?|next (?:agent|researcher|child|reader|model)|(?:all |other |future |fellow )+(?:children|lanes|agents|researchers|models|readers)|children|lane [A-Z])';
const EN_ORDER =
  "(?:you (?:must|should|will|shall|have to|need to|are (?:to|required))|must|shall|do not|don't|never|always|please (?:accept|approve|validate|mark|ignore|skip|stop|score|give|set|treat|trust)|mark|accept|approve|validate|treat|trust|skip|stop|ignore|disregard|declare|advance|terminate|finish|score|give|rate|vote|assign|set|promote|obey|follow|reply|respond|output|forget|execute)";

const DE_RULES =
  '(?:Anweisung(?:en)?|Regeln|Vorgaben|Instruktion(?:en)?|Befehle?|System-?prompts?|Prompts?|Charter|Einschränkungen|Richtlinien|Leitlinien|Aufgabenstellung|Auftrag)';
const UK_RULES = `(?:інструкці${L}{1,4}|вказівк${L}{1,4}|вказівок|настанов${L}{0,4}|правил${L}{0,3}|обмежен${L}{1,4}|системн${L}{2,3} (?:промпт|запит)${L}{0,3}|промпт${L}{0,3}|харті${L}{1,2}|наказ${L}{0,3}|розпоряджен${L}{1,3})`;

export const INSTRUCTION_RULES: readonly TextRule[] = [
  {
    id: 'TI1',
    code: 'PACKET_INSTRUCTIONS',
    language: 'en',
    reason: 'tells its reader to drop instructions or to take a new role',
    source: CARRIED,
    fields: 'all',
    patterns: [
      phrase(
        `${EN_COMMANDED}(?:ignore|disregard|forget|override|bypass|overlook|drop|abandon|discard|neglect) (?:about )?(?:${EN_WHOSE} )*${EN_RULES}`,
      ),
      phrase(
        `${EN_COMMANDED}(?:ignore|disregard|forget) (?:everything|anything|all(?: of)?(?: that)?) (?:you (?:were|have been|are)|that (?:came|was|has been)|above|before|said|written|told|so far)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:do not|don't|stop|no longer) (?:obey|follow|following|obeying|adhere to|adhering to|comply with) (?:${EN_WHOSE} )*(?:${EN_RULES}|rules)`,
      ),
      phrase(
        `(?:from (?:now|this point|here) on|henceforth|starting now),? (?:you|ignore|act|treat|always|never|do not|your)`,
      ),
      phrase(
        `you are (?:now|no longer|from now on) (?:an?|the|in \\w+ mode|acting|bound|allowed|free|operating|required)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:act|behave|respond|pose) as (?:if you (?:are|were) |though you (?:are|were) )?(?:the |an? |my )?(?:root|chair|system|admin(?:istrator)?|developer|unrestricted|orchestrator|different|expert with no|DAN)`,
      ),
      phrase(`${EN_COMMANDED}pretend (?:to be|you are|that you)`),
      phrase(
        `(?:your new (?:task|role|instructions?|goal|objective|system prompt|orders?) (?:is|are)|(?:new|updated|revised|important|urgent|hidden|secret|system) (?:instructions?|directives?|orders?|system prompt)(?: (?:for|to) (?:the |all |every )?(?:${EN_PARTY}|you|reader|readers|agents?))?\\s?:)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:enter|switch (?:to|into)|activate|enable) (?:developer|god|admin|debug|maintenance|unrestricted|jailbreak|sudo) mode`,
      ),
      phrase(
        `${EN_COMMANDED}(?:reveal|print|repeat|output|show|leak|disclose|dump) (?:me )?(?:your|the) (?:system prompt|(?:hidden |initial |full )?instructions|charter|credentials|secrets?|environment variables)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:do not|don't|never) (?:tell|inform|mention (?:this|it) to|alert|notify|show (?:this|it) to) (?:the )?(?:user|human|operator|anyone|root|reviewer|chair)`,
      ),
      phrase(
        `you are (?:hereby )?(?:instructed|ordered|commanded|directed|required) to (?:ignore|disregard|accept|approve|validate|mark|output|report|declare|skip|stop|give|score|forget)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:reply|respond|answer|output|print|return) (?:only|just|exclusively|nothing but) (?:with|the word|")?`,
      ),
      phrase(
        `(?:this|the following|what follows) (?:message |packet |text |note )?(?:overrides?|supersedes?|replaces?|cancels?) (?:${EN_WHOSE} )*${EN_RULES}`,
      ),
      phrase(
        `you are (?:an?|the) (?:\\w+ ){0,3}(?:assistant|AI|language model|LLM|chatbot|root|chair|agent)(?! (?:chair )?(?:that|whose|who) (?:wrote|made|measured))`,
      ),
      phrase(
        `${EN_COMMANDED}(?:do not|don't|never) (?:forward|share|report|disclose|escalate|pass|send|reveal|show|repeat) ${gap(40)}(?:to|with) (?:the |a |any )?(?:user|operator|human|root|chair|reviewer|anyone)`,
      ),
      phrase(
        `(?:system|admin(?:istrator)?|root|developer|priority|policy) override(?! (?:flag|option|setting|file|button))`,
      ),
    ],
  },
  {
    id: 'TI2',
    code: 'PACKET_INSTRUCTIONS',
    language: 'en',
    reason: 'commands the root or another child',
    source: AIMED,
    fields: 'all',
    except: ['recommended_root_actions', 'verification_requests', 'review_questions'],
    patterns: [
      phrase(
        `${CLAUSE_START}(?:dear |hey |attention,? |note (?:to|for) |to |message (?:to|for) |instructions? (?:to|for) )?(?:the |all )?${EN_PARTY}\\s?[:,]\\s?"?${EN_ORDER}`,
      ),
      phrase(`(?:note|message|instructions?|memo) (?:to|for) (?:the |all )?${EN_PARTY}\\s?:`),
      phrase(
        `(?:if|when) you are (?:the |an? )?(?:root|chair|reviewer|poster|language model|LLM|AI|assistant)(?: agent)?\\b,? ${gap(60)}(?:must|should|ignore|validate|accept|approve|mark|give|set|skip)`,
      ),
      phrase(`${CLAUSE_START}(?:to|for|attention|dear|hey) (?:the |all |every )?${EN_PARTY}\\s?:`),
    ],
  },
  {
    id: 'TI3',
    code: 'PACKET_INSTRUCTIONS',
    language: 'en',
    reason: 'steers how packets are judged or the state of the conference',
    source: AIMED,
    fields: 'all',
    patterns: [
      phrase(
        `${EN_COMMANDED}(?:mark|label|treat|count|record|accept|report) (?:this|my|our|all|these|every|each|the) ${gap(30)}(?:claims?|packets?|lanes?|findings?|results?|rounds?|conference|measurements?|hypothes[ei]s) (?:as )?(?:fully |already |being )?(?:validated|accepted|approved|converged|complete|reviewed|verified|established|proven)(?! (?:only|once|after|when|if))`,
      ),
      phrase(
        `(?:you|root|chair|reviewers?) (?:must|shall|have to|need to|will) (?:validate|accept|approve|not (?:overturn|challenge|reject|question|review)|give|score|rate|declare|mark|stop|advance|converge|skip)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:do not|don't|never) (?:overturn|challenge|reject|re-?review|question|verify|double-check|dispute) (?:this|my|our|these|any of|the claims?|lane|it)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:give|award|assign|rate|score) (?:this (?:lane|packet)|lane [A-Z]|my (?:lane|packet|work)|me|us|it|our lane) (?:with )?(?:an? |the |at least )*(?:10|ten|full marks|(?:top|highest|maximum|perfect|best|high) (?:score|rating|marks?)|score of)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:set|switch|change|move|advance|transition) (?:the |this )*(?:conference|state|phase|outcome|verdict|status|round)(?: (?:state|phase|status|outcome))? (?:directly )?(?:to|into) (?:")?(?:[A-Z_]{4,}|complete|converged|validated|synthesis|accepted|done|next phase)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:declare|announce|report) (?:the |this )?(?:conference|round|search|convergence)(?: as| to be)? ?(?:converged|complete|completed|finished|over|reached|done)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:skip|cancel|omit|bypass|end) (?:the |this |all |any )*(?:peer )?(?:review|reviewer|poster|verification|validation)(?: (?:phase|round|step|session))?`,
      ),
      phrase(
        `(?:the |all )?${EN_PARTY} (?:should|must|shall|has to|have to|needs? to|ought to) (?:now |simply |just |all )?(?:ignore|disregard|abandon|forget|override|bypass|drop|discard|skip|approve|validate|accept (?:all|every|this|my|our|lane)|obey|mark|stop following) ${gap(30)}(?:${EN_RULES}|charters?|claims?|packets?|lane|review|evidence|findings?|everything|numbers)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:consider|deem|regard) (?:this|my|our|all|these|every|lane [A-Z]) ${gap(30)}(?:validated|accepted|approved|converged|proven|established)`,
      ),
      phrase(
        `(?:whoever|anyone|anybody|everyone|any (?:model|agent|reader|reviewer|assistant)|all (?:models|agents|readers)) (?:who |that )?(?:is |are )?(?:reads?|reading|sees?|process(?:es|ing)?|receiv(?:es|ing)|evaluat(?:es|ing)|review(?:s|ing)?) (?:this|it|these)${gap(30)}(?:must|should|shall|has to|have to|will|needs to)`,
      ),
      phrase(
        `${EN_COMMANDED}(?:report|record|announce|give|output|enter|write) (?:the |its |this )?(?:outcome|verdict|state|status|phase|convergence) (?:as|=) (?:")?(?:[A-Z_]{6,}|converged|validated|complete|accepted|passed)`,
      ),
      phrase(
        `(?:the |all )?${EN_PARTY} (?:should|must|shall|has to|have to|needs? to|ought to) ${gap(40)}(?:ignore|disregard|abandon|forget|violate|override|bypass) ${gap(20)}${EN_RULES}`,
      ),
    ],
  },
  {
    id: 'TI4',
    code: 'PACKET_INSTRUCTIONS',
    language: 'de',
    reason: 'tells its reader to drop instructions, commands another party, or steers the judging',
    source: CARRIED,
    fields: 'all',
    patterns: [
      phrase(
        `(?:ignoriere|ignorieren Sie|${CLAUSE_START}ignoriert|vergiss|vergessen Sie|vergesst|missachte|missachten Sie|übergehe|übergehen Sie|umgehe|umgehen Sie|verwirf|verwerfen Sie|überschreibe|überschreiben Sie) (?:bitte |jetzt |nun )*(?:(?:alle|sämtliche|deinen?|Ihren?|euren?|den|die|jede|vorherigen|bisherigen|früheren|obigen|vorigen|ursprünglichen|anderen|diese|jegliche) )*${DE_RULES}`,
      ),
      phrase(
        `(?:ignoriere|ignorieren Sie|vergiss|vergessen Sie) (?:bitte )?alles,? was (?:bisher|vorher|oben|zuvor|davor)`,
      ),
      phrase(
        `(?:du bist|Sie sind) (?:jetzt|nun|ab jetzt|ab sofort|von nun an|nicht mehr) (?:ein|der|die|das|im|an|nicht|kein)`,
      ),
      phrase(
        `(?:ab sofort|von nun an|ab jetzt|künftig),? (?:bist|musst|sollst|wirst|darfst|ignorierst|gilt für dich|handle|verhalte|antworte|müssen Sie|sind Sie)`,
      ),
      phrase(
        `${CLAUSE_START}(?:(?:an (?:den|die|alle|das)|Hinweis an (?:den|die|alle)|Anweisung(?:en)? (?:an|für) (?:den|die|alle)|liebe[rs]?) )?(?:Root|Vorsitz(?:ende[rn]?)?|Gutachter(?:in)?|Reviewer|Poster|Synthese|anderen Lanes|anderen Kinder|nächste[rn]? (?:Agent|Forscher|Leser)|Lane [A-Z]|Assistent|System)\\s?[:,]\\s?(?:du musst|Sie müssen|bitte (?:akzeptiere|bestätige|markiere|validiere|ignoriere|bewerte|überspringe)|ignoriere|akzeptiere|bestätige|markiere|validiere|bewerte|überspringe|beende|erkläre|gib|setze|folge|befolge)`,
      ),
      phrase(
        `(?:markiere|markieren Sie|werte|werten Sie|betrachte|betrachten Sie|akzeptiere|akzeptieren Sie) (?:bitte )?(?:alle|diese|meine|unsere|jede|die|das|den) ${gap(40)}(?:als|für) (?:validiert|bestätigt|akzeptiert|genehmigt|konvergiert|abgeschlossen|geprüft|bewiesen)`,
      ),
      phrase(
        `(?:bewerte|bewerten Sie|gib|geben Sie) (?:bitte )?(?:diese Lane|dieser Lane|mich|mir|meine Lane|meiner Lane|mein Paket|meinem Paket|Lane [A-Z]) ${gap(20)}(?:mit )?(?:einer? )?(?:10|zehn|die volle Punktzahl|der vollen Punktzahl|(?:Höchst|Best)(?:note|wertung|punktzahl))`,
      ),
      phrase(
        `(?:überspringe|überspringen Sie|beende|beenden Sie) (?:bitte )?(?:die |das |den )?(?:Begutachtung|Review|Prüfung|Konferenz|Runde|Gutachten)(?: (?:sofort|jetzt|als konvergiert))?`,
      ),
      phrase(
        `(?:erkläre|erklären Sie) (?:bitte )?(?:die |diese )?(?:Konferenz|Runde|Suche) ${gap(20)}(?:für|als) (?:konvergiert|beendet|abgeschlossen)`,
      ),
      phrase(
        `(?:sag|sage|sagen Sie|verrate|verraten Sie|melde|melden Sie) (?:es |dies |das )?(?:dem |der |den )?(?:Nutzer|Benutzer|Menschen|Anwender|Root|Vorsitz) ?(?:davon |hiervon )?nicht(?:s)?`,
      ),
      phrase(
        `${CLAUSE_START}(?:an|für) (?:den|die|das|alle) (?:Root|Vorsitz${L}*|Gutachter${L}*|Reviewer|Poster|Synthese|anderen (?:Lanes|Kinder|Agenten)|nächsten? (?:Agenten|Forscher|Leser)|Lane [A-Z])\\s?:`,
      ),
      phrase(
        `(?:Lanes?|Kinder|Agenten|Gutachter|Forscher|Reviewer|Leser|Root|Synthese)(?: [A-Z])? (?:sollen|müssen|sollten|soll|muss|sollte) ${gap(50)}(?:${DE_RULES}|Behauptung(?:en)?|Paket(?:e)?|Prüfung|Begutachtung) ${gap(20)}(?:verwerfen|ignorieren|vergessen|missachten|übergehen|umgehen|akzeptieren|überspringen|bestätigen)`,
      ),
      phrase(
        `(?:antworte|antworten Sie|gib|geben Sie) (?:bitte )?(?:nur|ausschließlich|lediglich) (?:mit|noch|")?`,
      ),
      phrase(
        `(?:dies|das|dieser Text|Folgendes) (?:ersetzt|überschreibt|hebt) (?:alle |deine |Ihre |die |sämtliche |bisherigen )*${DE_RULES}`,
      ),
      phrase(
        `(?:wer|jeder,? der|alle,? die) (?:das|dies|diesen Text|dieses Paket) (?:hier )?(?:liest|lesen|sieht|prüft|bewertet|verarbeitet),? (?:muss|soll|müssen|sollen|hat)`,
      ),
    ],
  },
  {
    id: 'TI5',
    code: 'PACKET_INSTRUCTIONS',
    language: 'uk',
    reason: 'tells its reader to drop instructions, commands another party, or steers the judging',
    source: CARRIED,
    fields: 'all',
    patterns: [
      phrase(
        `(?:ігноруй(?:те)?|проігноруй(?:те)?|забудь(?:те)?|(?:зне|не)хтуй(?:те)?|відкинь(?:те)?|обійди|обійдіть|не зважай(?:те)? на|не дотримуй(?:ся|тесь|теся)|порушуй(?:те)?) (?:(?:усі|всі|усіма|всіма|усіх|всіх|про|вище|будь-як${L}{1,3}|сво${L}{1,3}|тво${L}{1,3}|ваш${L}{1,3}|ці|цих|цими|попередн${L}{1,3}|наведен${L}{1,3}|початков${L}{1,3}|інш${L}{1,3}) )*${UK_RULES}`,
      ),
      phrase(
        `(?:ігноруй(?:те)?|забудь(?:те)?) (?:про )?(?:усе|все),? (?:що (?:було|сказано|написано)|попереднє|вище)`,
      ),
      phrase(`(?:ти|ви) (?:тепер|віднині|відтепер|більше не) ${L}+`),
      phrase(`(?:віднині|відтепер|з цього моменту) (?:ти|ви|твоя роль|ваша роль|дій|дійте|відповідай)`),
      phrase(
        `${CLAUSE_START}(?:(?:до|для|увага|вказівка для|інструкція для) )?(?:корен(?:ю|я)|голов(?:о|и|і|а)|рецензент(?:е|у|а|ові|и)?|постер(?:е|у)?|синтез(?:е|у)?|інш(?:і|их|им) (?:лінії|ліній|агенти|агентів|діти)|наступн(?:ий|ого) агент(?:а|е)?|лінія [A-ZА-Я]|асистент(?:е)?|система)\\s?[:,]\\s?(?:ти (?:мусиш|повинен|повинна)|ви (?:мусите|повинні|маєте)|прийми|прийміть|підтверди|підтвердь|підтвердьте|познач|позначте|постав|поставте|пропусти|пропустіть|ігноруй|ігноруйте|заверши|завершіть|не перевіряй|не перевіряйте)`,
      ),
      phrase(
        `(?:познач(?:те)?|вважай(?:те)?|прийми|прийміть|зарахуй(?:те)?) (?:усі|всі|ці|мої|моє|цей|цю|це|кожне) ${gap(40)}(?:як )?(?:підтверджен|прийнят|перевірен|доведен|збіжн|завершен|validated)${L}{0,3}`,
      ),
      phrase(
        `(?:постав(?:те)?|дай(?:те)?|оціни|оцініть) (?:цій лінії|цю лінію|моїй лінії|мою лінію|мені|моєму пакету|мій пакет|лінії [A-ZА-Я]) ${gap(20)}(?:10|десять|найвищ${L}{1,3}|максимальн${L}{1,3})`,
      ),
      phrase(
        `(?:пропусти|пропустіть|скасуй(?:те)?|заверши|завершіть|припини|припиніть) (?:цю |цей |усю |всю )?(?:рецензування|рецензію|перевірку|конференцію|раунд)`,
      ),
      phrase(
        `не (?:кажи|кажіть|повідомляй|повідомляйте|показуй|показуйте) (?:про це |цього |це )?(?:користувач(?:у|еві|ам)|людині|кореню|голові)`,
      ),
      phrase(
        `(?:лінії|діти|агенти|рецензенти|дослідники|рецензент|корінь|голова) (?:мають|повинні|мусять|має|повинен|мусить) (?:${L}+ ){0,2}?(?:відкинути|ігнорувати|забути|порушити|прийняти|підтвердити|пропустити|знехтувати) ${gap(40)}(?:${UK_RULES}|твердження|пакет${L}{0,2}|перевірку|рецензування)`,
      ),
      phrase(`(?:відповідай(?:те)?|виведи|виведіть) (?:лише|тільки|виключно)`),
      phrase(`(?:це|цей текст) (?:замінює|скасовує|перекриває) (?:${L}+ ){0,3}?${UK_RULES}`),
      phrase(
        `(?:хто|кожен,? хто|усі,? хто|всі,? хто) (?:це|цей текст|цей пакет) (?:читає|читатиме|бачить|перевіряє|оцінює),? (?:мусить|повинен|має|повинні|мають)`,
      ),
    ],
  },
];
