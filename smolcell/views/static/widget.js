var Or=Object.defineProperty;var vn=(e,t)=>{for(var n in t)Or(e,n,{get:t[n],enumerable:!0})};function a(e,t,...n){let i=document.createElement(e);return t!==""&&(i.className=t.split(" ").map(r=>`smolcell-${r}`).join(" ")),i.append(...n.filter(r=>r!==null&&
r!==!1)),i}function C(e,t,n,i=""){let r=a("button",`button ${t}`,e);if(r.type="button",i!==""){let o=a("kbd","key",i);o.setAttribute("aria-hidden","true"),r.append(
" ",o),r.setAttribute("aria-keyshortcuts",i)}return r.addEventListener("click",n),r}function Le(e,t){let n=a("input",t);return n.type=e,n.dataset.lmSuppressShortcuts=
"true",n}function M(e,...t){return a("details","fold",a("summary","summary",e),...t)}function de(e,t){if(typeof ResizeObserver>"u")return;let n=new ResizeObserver(
()=>{e.clientWidth!==0&&(n.disconnect(),t())});n.observe(e)}var _=class{constructor(t){this.el=t}el;before=null;draw(t,n){if(this.before?.every((r,o)=>r===t[o])&&
this.before.length===t.length)return;this.before=t;let i=n().filter(r=>r!==null&&r!==!1);this.el.replaceChildren(...i),this.el.hidden=i.length===0}},Z=class{constructor(t){
this.el=t;t.addEventListener("scroll",()=>this.atEnd=t.scrollTop+t.clientHeight>=Math.min(this.drawn,t.scrollHeight)-4)}el;atEnd=!0;scheduled=!1;drawn=0;update(){
this.scheduled||typeof requestAnimationFrame>"u"||(this.scheduled=!0,requestAnimationFrame(()=>{this.scheduled=!1,this.drawn=this.el.scrollHeight,this.atEnd&&(this.
el.scrollTop=this.drawn)}))}},Me=class{constructor(t){this.el=t;t.hidden=!0,this.stick=new Z(t)}el;shown="";stick;set(t){t!==this.shown&&(t.startsWith(this.shown)?
this.el.append(t.slice(this.shown.length)):this.el.textContent=t,this.shown=t,this.el.hidden=t==="",this.stick.update())}};var Nr=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\u{1d159}\u{e0100}-\u{e01ef}]/u,
wn=new RegExp(Nr.source,"gu"),Br=/\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?$/u;function Ct(e){let t=[],n=0;for(let i of e.matchAll(wn))i.index>n&&t.push({
text:e.slice(n,i.index),hidden:!1}),t.push({text:Re(i[0]),hidden:!0}),n=i.index+i[0].length;return n<e.length&&t.push({text:e.slice(n),hidden:!1}),t}var xt="\\t";
function Re(e){return e==="	"?xt:`\\u{${(e.codePointAt(0)??0).toString(16)}}`}function p(e){let t=e.replaceAll(`\r
`,`
`);return t.replace(wn,(n,i)=>Hr(n,t,i)?n:Re(n))}function Hr(e,t,n){return e===`
`||e==="	"||e==="\xA0"?!0:e!=="\u200D"&&e!=="\uFE0F"?!1:Br.test(t.slice(Math.max(0,n-5),n).replace(/\ufe0f$/u,""))}function O(e){return e>0&&e<.05?"< 0.1 s":e<10?
`${e.toFixed(1)} s`:e<60?`${Math.round(e)} s`:`${Math.floor(e/60)} min ${Math.round(e)%60} s`}function L(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}
function ie(e){return e.input_tokens+e.output_tokens===0?"":`${e.input_tokens.toLocaleString("en")} + ${e.output_tokens.toLocaleString("en")} tokens`}function j(e){
return e.cost===null?"":`$${e.cost<.01?e.cost.toFixed(4):e.cost.toFixed(2)}`}function En(e,t){let n=e.toLocaleString("en");return t===0?`Context: ${n} tokens`:`\
Context: ${n} of ${t.toLocaleString("en")} tokens (${Math.max(1,Math.round(100*e/t))} %)`}function $e(e){if(e<1e3)return L(e,"byte");let t=Math.min(3,Math.floor(
Math.log10(e)/3));return`${(e/1e3**t).toPrecision(3)} ${["","kB","MB","GB"][t]}`}function Pe(e){return p(e.map(({name:t,size:n})=>`${t} (${$e(n)})`).join(", "))}
function I(...e){return e.filter(t=>t!=="").join(" \xB7 ")}var qr={success:"The run is done.",max_steps_error:"The run stopped at its step limit.",refused:"The run ended without approval.",stopped:"The run was stopped.",
error:"The run failed."},Ie=class{el=a("div","announcer");announced=new Set;handled=new WeakSet;constructor(){this.el.setAttribute("aria-live","polite"),this.el.
setAttribute("role","status")}announce(t,n,i=""){let r=t.steps.filter(u=>!this.handled.has(u));for(let u of r)this.handled.add(u);let s=[...r.flatMap(Ur),...n===
void 0?[]:[jr(n,i)],...zr(t)].filter(([u])=>!this.announced.has(u));for(let[u]of s)this.announced.add(u);let l=s.at(-1);l!==void 0&&(this.el.textContent=l[1])}};
function Ur(e){let{observation:t}=e;if(t===null||e.call>0)return[];let n=t.error===null?"is done":`ended with an error: ${p(t.error.type)}`;return[[`done ${e.n}`,
`Step ${e.n} ${n}.`]]}function jr(e,t){let n=e.findings.filter(r=>r.risk!=="none").length,i=e.kind==="code"?`${L(e.code.split(`
`).length,"line")} of Python`:`a ${e.kind}`;return[`asks ${t} ${e.fingerprint} ${e.n}`,`Step ${e.n} waits for your decision: ${i}${n>0?`, ${L(n,"warning")}`:""}\
.`]}function zr({ended:e}){return e===null?[]:[["ended",qr[e.state]??"The run is over."]]}function At(e,t){return e!==null&&t-e>=500}function Dt(e,t){return[e.drawn,e.still,e.pageVisible,e.windowFocused].every(n=>At(n,t))}function Cn(e,t){return Dt(e,
t)&&At(e.inView,t)&&At(e.cardFocused,t)}function T(e){return e.isTrusted}var Vr={a:"approve",e:"edit",r:"refuse",s:"stop"};function xn(e){return Dn(e)||e.shiftKey||
e.repeat||e.isComposing?null:Vr[e.key.toLowerCase()]??null}function An(e){return!Dn(e)&&(e.key.length===1||e.key==="Enter")}function Dn(e){return e.ctrlKey||e.altKey||
e.metaKey}function z(e){return e instanceof Element&&e.closest("input, textarea, select, [contenteditable]")!==null}var Wr=[".jp-Cell",".jp-Notebook"];function Sn(e){let{activeElement:t,body:n}=e.ownerDocument,i=e.closest(".jp-Cell");return t===null||t===n||t===i?!0:t.contains(
e)&&i?.classList.contains("jp-mod-active")===!0}var Kr="data-smolcell-ran-by-key";function St(e){return e.closest(".jp-Cell")?.hasAttribute(Kr)===!0}var Oe=class{constructor(t,n){
this.card=t;t.addEventListener("pointerdown",()=>this.clicked(),{capture:!0,signal:n}),t.addEventListener("focusin",i=>this.entered(i.relatedTarget),{signal:n})}card;from=null;keep(){
this.active?.matches("button")&&this.card.contains(this.active)&&this.card.focus({preventScroll:!0})}giveBack(){if(this.active===this.card){for(let t of[this.from,
...Wr.map(n=>this.card.closest(n))])if(t?.isConnected&&t.focus({preventScroll:!0}),this.active!==this.card)return}}get isHere(){return this.active!==null&&this.
card.contains(this.active)}get active(){let t=this.card.getRootNode();return t instanceof Document||t instanceof ShadowRoot?t.activeElement:null}clicked(){let{active:t}=this;
t!==null&&t!==document.body&&t.contains(this.card)&&t!==this.card?this.from=null:this.entered(t)}entered(t){t instanceof HTMLElement&&!t.contains(this.card)&&!this.
card.contains(t)&&(this.from=t)}};var Ft="smolcell-released",Ne=new Set;function Be(e){return[document,e.getRootNode()].some(t=>"querySelector"in t&&t.querySelector(".smolcell-controls")!==null)}
function V(e,t){if(!Be(e))return void t();Ne.size===0&&window.addEventListener(Ft,Tn),Ne.add(()=>e.isConnected&&t())}function Fn(){window.dispatchEvent(new Event(
Ft))}function Tn(){if(Be(document))return;let e=[...Ne];Ne.clear(),window.removeEventListener(Ft,Tn);for(let t of e)t()}var he=["image/png","image/jpeg","image/gif","image/webp"],Mn={"video/mp4":[4,"ftyp"],"video/webm":[0,"E\xDF\xA3"]},fe=Object.keys(Mn),Gr=7e6,Xr=4e7,Yr=4e5;function W(e,t){
if(t.length>Gr)return"larger than 5 MB";if(t===""||!/^[A-Za-z0-9+/=\s]+$/.test(t))return"not base64";if(fe.includes(e))return Zr(e,t)?"":`not what it claims to \
be, ${e}`;let n=Ln(e,t);return n===null?`not what it claims to be, ${e}`:n[0]*n[1]>Xr?`${n[0]} by ${n[1]} pixels`:""}function He(e,t,n){let i=a("img","image");i.
alt=n;let[r,o]=Ln(e,t)??[1,1];return[i.style.width,i.style.aspectRatio]=[`${r}px`,`${r} / ${o}`],i.src=`data:${e};base64,${t.replace(/\s/g,"")}`,i}function Ln(e,t){
let n=Rn(t),i=n===null?null:Jr[e]?.(n)??null;return i!==null&&i[0]>0&&i[1]>0?i:null}function Zr(e,t){let n=Rn(t);return n!==null&&N(n,...Mn[e])}function Rn(e){let t=e.
slice(0,Yr).replace(/\s/g,"");try{let n=atob(t.slice(0,t.length-t.length%4));return new DataView(Uint8Array.from(n,i=>i.charCodeAt(0)).buffer)}catch{return null}}
var Jr={"image/png":Qr,"image/gif":eo,"image/jpeg":to,"image/webp":no};function N(e,t,n){return e.byteLength>=t+n.length&&[...n].every((i,r)=>e.getUint8(t+r)===
i.charCodeAt(0))}function Qr(e){return e.byteLength<24||!N(e,0,`\x89PNG\r

`)||!N(e,12,"IHDR")?null:[e.getUint32(16),e.getUint32(20)]}function eo(e){return e.byteLength<10||!(N(e,0,"GIF87a")||N(e,0,"GIF89a"))?null:[e.getUint16(6,!0),e.
getUint16(8,!0)]}function to(e){if(!N(e,0,"\xFF\xD8"))return null;let t=2;for(;t+9<=e.byteLength&&e.getUint8(t)===255;){let n=e.getUint8(t+1);if(n===255)t+=1;else{
if(n>=192&&n<=207&&![196,200,204].includes(n))return[e.getUint16(t+7),e.getUint16(t+5)];t+=2+Math.max(e.getUint16(t+2),2)}}return null}function no(e){if(e.byteLength<
30||!N(e,0,"RIFF")||!N(e,8,"WEBP"))return null;if(N(e,12,"VP8 ")&&N(e,23,"\x9D*"))return[e.getUint16(26,!0)&16383,e.getUint16(28,!0)&16383];if(N(e,12,"VP8L")&&
e.getUint8(20)===47){let t=e.getUint32(21,!0);return[(t&16383)+1,(t>>>14&16383)+1]}return N(e,12,"VP8X")?[_n(e,24)+1,_n(e,27)+1]:null}function _n(e,t){return e.
getUint16(t,!0)+e.getUint8(t+2)*65536}var pe="smolcell-library",Ue=class{requests=[];constructor(t,n,i){let r=o=>{let{detail:s}=o;o.preventDefault();let l=this.requests.some(({name:u})=>u===s.name);
this.requests.push(s),!qe().has(s.name)&&!l&&n(s.name),this.update(null)};t.addEventListener(pe,r,{signal:i})}update(t){t!==null&&qe().set(t.name,t.code);let{requests:n}=this;
this.requests=n.filter(({name:i})=>!qe().has(i));for(let{name:i,take:r}of n){let o=qe().get(i);o!==void 0&&r(o)}}};function qe(){let e=globalThis;return e[io]??=
new Map}var io=Symbol.for("smolcell.libraries");var $n="smolcell-picture",ro=3e6,oo=8,so=20,je={initial:450,min:60,max:2e3},lo=32;function Pn(e,t,n){for(let[i,r]of Object.entries(e)){let o=ge(i),s=o===void 0?
null:po(o,r);if(o!==void 0&&s!==null)return new Tt(o,s,t,e,n()).el}return null}function ge(e){let t=/^application\/vnd\.(plotly\.v1|vega\.v\d|vegalite\.v\d)\+json$/.
exec(e)?.[1];return t===void 0?void 0:t.startsWith("plotly")?"plotly":"vega"}var Tt=class{constructor(t,n,i,r,o){this.library=t;this.spec=n;this.output=i;this.text=
o;this.description=p(r["text/plain"]??"").slice(0,200)||"A chart the code made";let s=r["image/png"]??"";W("image/png",s)===""&&(this.picture=s),this.put(...this.
still()),de(this.el,()=>this.draw())}library;spec;output;text;el=a("div","chart");description;frame=null;picture="";messages=0;draw(){let t=n=>{this.frame=ho(fo(
n,this.spec),this.description),this.messages=0,ao(this),this.put(this.frame,M("As text",...this.text))};this.reserve(je.initial+lo),this.emit(pe,{name:this.library,
take:t})||this.release()}receive({source:t,data:n}){let i=t?.parent;if(this.frame===null||!i||i!==this.frame.contentWindow||typeof n!="object"||n===null||++this.
messages>so)return;let{height:r,picture:o,fault:s}=n;typeof r=="number"&&Number.isFinite(r)&&this.fit(this.frame,Math.min(je.max,Math.max(je.min,r))),typeof s==
"string"&&this.fail(s),!(typeof o!="string"||this.picture!==""||W("image/png",o)!=="")&&(this.picture=o,this.emit($n,{output:this.output,data:o}))}replaceByPicture(){
this.frame=null,this.put(...this.still(),C("Interactive","quiet",()=>this.draw()))}still(){return this.picture===""?this.text:[He("image/png",this.picture,this.
description),M("As text",...this.text)]}fail(t){this.frame=null,this.put(a("p","note",`The chart is not drawn: ${p(t.slice(0,300))}`),...this.text)}put(...t){Be(
this.el)&&this.el.offsetHeight>0&&this.reserve(this.el.offsetHeight),this.el.replaceChildren(...t.filter(n=>n!==null&&n!==!1)),this.release()}fit(t,n){V(this.el,
()=>t.style.height=`${n}px`)}reserve(t){this.el.style.height=`${t}px`}release(){V(this.el,()=>this.el.style.height="")}emit(t,n){return!this.el.dispatchEvent(new CustomEvent(
t,{bubbles:!0,composed:!0,cancelable:!0,detail:n}))}};function In(e,t,n){let i=({target:r,detail:o})=>{let s=uo(r);s!==null&&t({...s,...o})};e.addEventListener(
$n,i,{signal:n})}function uo(e){let t=e.closest("[data-step]"),n=t?.closest("[data-run]")?.dataset.run;return t===null||n===void 0?null:{run:n,step:Number(t.dataset.
step),call:Number(t.dataset.call)}}var J=[];function ao(e){J.length===0&&window.addEventListener("message",co),J.splice(0,J.length,...J.filter(t=>t!==e&&t.el.isConnected),
e),J.length>oo&&J.shift()?.replaceByPicture()}function co(e){for(let t of[...J])t.receive(e)}function ho(e,t){let n=a("iframe","frame");return n.setAttribute("s\
andbox","allow-scripts"),n.setAttribute("referrerpolicy","no-referrer"),n.setAttribute("allow",""),n.title=t,n.style.height=`${je.initial}px`,n.srcdoc=e,n}function fo(e,t){
let n=Array.from(crypto.getRandomValues(new Uint8Array(16)),c=>c.toString(16)).join(""),o=`<!doctype html><meta charset="utf-8">${[`default-src 'none'; script-s\
rc 'nonce-${n}'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'`,"script-src 'unsafe-inline'"].map(c=>`<meta http-equiv="Co\
ntent-Security-Policy" content="${c}">`).join("")}`,s=e.replace(/<(?=\/script|script|!--)/gi,"\\x3c"),u=`${o}<style>html{background:#fff}body{margin:0}</style><\
div id="chart"></div><script type="application/json" id="spec">${t}<\/script><script nonce="${n}">${s}<\/script>`.replaceAll("&","&amp;").replaceAll('"',"&quot;");
return`${o}<style>html,body{margin:0;height:100%}iframe{display:block;border:0;width:100%;height:100%}</style><iframe sandbox="allow-scripts" referrerpolicy="no\
-referrer" allow="" srcdoc="${u}"></iframe>`}function po(e,t){if(t.length>ro)return null;try{let n=JSON.parse(t),i=me(n)?e==="plotly"?go(n):n:null;return i===null?
null:JSON.stringify(i).replaceAll("<","\\u003c")}catch{return null}}var mo=/^choropleth|geo$|^(?:scatter|density)map(?:box)?$/;function go({data:e,layout:t,frames:n}){
return!Array.isArray(e)||e.length===0||!e.every(me)||e.some(({type:i})=>mo.test(String(i)))?null:_t({data:e,layout:me(t)?t:{},frames:Array.isArray(n)?n:[]})}function _t(e){
if(typeof e=="string")return e.replace(/<\/?a\b[^>]*>/gi,"");if(Array.isArray(e))return e.map(_t);if(!me(e))return e;let t=Object.entries(e).filter(([n])=>!/^map(?:box)?\d*$/.
test(n));return Object.fromEntries(t.map(([n,i])=>[n,_t(n==="images"&&Array.isArray(i)?i.filter(bo):i)]))}function bo(e){return me(e)&&/^data:image\/(?:png|jpeg|gif|webp);base64,/.
test(String(e.source))}function me(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)}var ko="smolcell-insert-cells",yo="smolcell-run-over",vo=1e4,ze=class{constructor(t){this.send=t;this.button.title="Write the approved steps as ordinary cells b\
elow; they give the same answer",this.status.setAttribute("role","status"),this.el.append(this.button,this.status),this.el.hidden=!0}send;el=a("div","export");button=C(
"Write steps as cells","quiet",()=>this.request());status=a("div","exported");requestId="";timer;update(t){let n=t.state.steps.some(i=>i.observation!==null||i.runs.
length>0);this.el.hidden=t.state.ended===null||!n,t.cells!==null&&t.cells.id===this.requestId&&this.take(t.cells)}request(){if(this.timer===void 0){if(this.requestId=
this.send(),this.requestId==="")return this.end("The run's kernel is gone. Its steps are shown above. In a kernel that has the session, run: %agent export");this.
show("Asking the kernel\u2026"),this.timer=setTimeout(()=>this.onTimeout(),vo)}}onTimeout(){this.timer=void 0,this.show("No kernel answered yet: it is busy with\
 another cell, or gone. If it is busy, the cells come when it is free.")}take({cells:t,notes:n,why:i}){if(i!=="")return this.end(`Not exported: ${i}`);let r=!this.
el.dispatchEvent(new CustomEvent(ko,{bubbles:!0,cancelable:!0,composed:!0,detail:t}));this.end(r?`${L(t.length,"cell")} below.`:"",...n.map(o=>a("p","note",p(o)))),
r||this.status.append(...wo(t.join(`

`)))}end(t,...n){clearTimeout(this.timer),this.timer=void 0,this.requestId="",this.show(t,...n)}show(t,...n){this.status.replaceChildren(...t===""?[]:[a("p","qu\
iet",p(t))],...n)}};function wo(e){let t=a("pre","about",p(e));t.tabIndex=0,t.setAttribute("role","group"),t.setAttribute("aria-label","The steps as ordinary co\
de");let n=C("Copy","quiet",()=>{navigator.clipboard?.writeText(e).then(()=>n.textContent="Copied")});return[t,n]}var Eo=1500,Ve=class{constructor(t,n,i){this.el=
t;this.send=n;this.signal=i}el;send;signal;announced=!1;id="";take=null;update({state:t,saved:n}){n!==null&&n.id===this.id&&(this.take?.(n.data),this.take=null),
!(t.ended===null||this.announced)&&(this.announced=!0,setTimeout(()=>!this.signal.aborted&&this.announce(t.run),Eo))}announce(t){let n=()=>new Promise(i=>{this.
take=i,this.id=this.send()});this.el.dispatchEvent(new CustomEvent(yo,{bubbles:!0,composed:!0,detail:{run:t,record:n}}))}};var Mt="    ",be=class{constructor(t,n,i,r,o){this.text=t;this.python=n;this.changed=i;this.el.dataset.lmSuppressShortcuts="true",this.field=So(t,()=>this.touch()),
this.el.append(this.field.el),this.el.addEventListener("keydown",s=>Co(s,r,o),{capture:!0})}text;python;changed;el=a("div","editor");field;touched=!1;locked=!1;closed=!1;get value(){
return this.touched?this.field.value:this.text}set readOnly(t){this.locked=t,this.field.readOnly=t}focus(t){this.field.focus()}loadCodeMirror(){let t=n=>{Ao(n).
then(i=>this.replaceField(i),()=>{})};this.el.dispatchEvent(new CustomEvent(pe,{bubbles:!0,composed:!0,detail:{name:"editor",take:t}}))}close(){this.closed=!0}touch(){
this.touched=!0,this.changed()}replaceField({edit:t}){if(this.closed||!this.el.isConnected)return;let{field:n}=this,i=n.el.contains(this.el.getRootNode().activeElement),
r=t({parent:this.el,text:this.value,at:n.at,label:On,python:this.python,changed:()=>this.touch()});this.field=r,r.readOnly=this.locked,n.el.remove(),i&&r.focus()}};
function Co(e,t,n){if(e.isComposing||e.altKey)return;let i=e.ctrlKey||e.metaKey,r=e.key==="Enter"&&(i||e.shiftKey);!r&&(e.key!=="Escape"||i||e.shiftKey)||(e.preventDefault(),
e.stopPropagation(),!(e.repeat||!T(e))&&(r?t():n()))}var On="Edit before it runs. Control+Enter runs what is here, Escape leaves the editor.",xo=Symbol.for("smo\
lcell.editor");function Ao(e){let t=globalThis;return t[xo]??=Do(e)}async function Do(e){let t=URL.createObjectURL(new Blob([e],{type:"text/javascript"}));try{return await import(t)}finally{
URL.revokeObjectURL(t)}}function So(e,t){let n=K("program",e);return n.rows=Math.min(Math.max(e.split(`
`).length+1,4),30),n.setAttribute("aria-label",On),n.addEventListener("input",t),n.addEventListener("keydown",i=>{i.isComposing||i.ctrlKey||i.altKey||i.metaKey||
(i.key==="Tab"?(i.preventDefault(),i.shiftKey?_o(n):To(n)):i.key==="Enter"&&(i.preventDefault(),Lt(n,`
${Fo(n)}`)))}),n.setSelectionRange(0,0),{el:n,focus:()=>n.focus({preventScroll:!0}),get at(){return n.selectionStart},get value(){return n.value},get readOnly(){
return n.readOnly},set readOnly(i){n.readOnly=i}}}function K(e,t=""){let n=a("textarea",e);return n.value=t,n.spellcheck=!1,n.setAttribute("autocapitalize","off"),
n.setAttribute("autocomplete","off"),n.dataset.lmSuppressShortcuts="true",n}function Nn(e){return e.value.lastIndexOf(`
`,e.selectionStart-1)+1}function Fo(e){let t=e.value.slice(Nn(e),e.selectionStart),n=/^[ \t]*/.exec(t)?.[0]??"";return/:\s*(#.*)?$/.test(t)?n+Mt:n}function To(e){
e.selectionStart===e.selectionEnd?Lt(e,Mt):Bn(e,t=>t===""?t:Mt+t)}function _o(e){Bn(e,t=>t.replace(/^( {1,4}|\t)/,""))}function Bn(e,t){let n=Nn(e),i=e.value.indexOf(
`
`,e.selectionEnd),r=i<0?e.value.length:i,o=e.value.slice(n,r).split(`
`).map(t).join(`
`),s=e.selectionStart===e.selectionEnd,l=Math.max(n,e.selectionStart+o.length-(r-n));e.setSelectionRange(n,r),Lt(e,o),e.setSelectionRange(s?l:n,s?l:n+o.length)}
function Lt(e,t){t!==""&&typeof document.execCommand=="function"&&document.execCommand("insertText",!1,t)||(e.setRangeText(t,e.selectionStart,e.selectionEnd,"en\
d"),e.dispatchEvent(new Event("input",{bubbles:!0})))}var Mo="smolcell-follow-up",Lo=1e5,We=class{el=a("div","follow");area=K("next-task");status=a("div","by-hand");bar;state={task:"",session:""};constructor(){this.
area.rows=1,this.area.maxLength=Lo,this.area.placeholder="Ask a follow-up",this.area.setAttribute("aria-label","Ask a follow-up: the session\u2019s next task, in a n\
ew cell below"),this.area.addEventListener("keydown",i=>this.keyDown(i)),this.status.setAttribute("role","status");let t=C("Ask","",i=>T(i)&&this.ask(i.detail===
0)),n=C("Try again","quiet",i=>T(i)&&this.send(null,i.detail===0));t.title="Insert the task as an agent cell below, and run it",n.title="Insert the same task on\
ce more as an agent cell below, and run it",this.bar=a("div","bar",this.area,t,n),this.el.hidden=!0}update({state:t}){this.state=t,t.ended!==null&&this.el.hidden&&
this.el.append(this.bar,this.status),this.el.hidden=t.ended===null}keyDown(t){t.key!=="Enter"||t.shiftKey||t.isComposing||!T(t)||(t.preventDefault(),this.ask(!0))}ask(t){
let n=this.area.value.trim();n===""?this.area.focus():this.send(n,t)&&(this.area.value="")}send(t,n){let i=Rt(this.el,{task:t,session:this.state.session,byKey:n});
return this.status.replaceChildren(...i?[]:$t(`${$o(this.state.session)}
${t??this.state.task}`)),i}};function Rt(e,t){return!e.dispatchEvent(new CustomEvent(Mo,{bubbles:!0,cancelable:!0,composed:!0,detail:t}))}function $t(e){let t=a(
"pre","about",e);t.tabIndex=0,t.setAttribute("role","group"),t.setAttribute("aria-label","The next cell");let n=C("Copy","quiet",()=>{navigator.clipboard?.writeText(
e).then(()=>n.textContent="Copied")});return[a("p","quiet","No cell can be inserted from here. Run this in a new one:"),t,n]}function Ke(e){return/^[\w./-]+$/.test(
e)?e:`'${e.replace(/[\p{Cc}\u2028\u2029]+/gu," ").replaceAll("'",`'"'"'`)}'`}var Ro=/[{}]/g;function $o(e){return e===""||e==="default"?"%%agent":`%%agent --ses\
sion ${Ke(e).replace(Ro,"$&$&")}`}var Ge=class{el;boxes=[];constructor(t){this.el=a("ul","pieces",...t.map(n=>this.row(n))),this.el.setAttribute("aria-label","What is sent")}dropped(){return new Set(
this.boxes.filter(({box:t})=>!t.checked).map(({line:t})=>t))}row(t){let n=Le("checkbox","box");return n.checked=t.used,n.setAttribute("aria-label",`Send ${p(t.name)}`),
this.boxes.push({line:t.line,box:n}),a("li","piece",n,jn({...t,by:""}))}};function qn(e,t){return e.split(`
`).filter(n=>!t.has(n)).join(`
`)}function Un(e){if(e.length===0)return null;let t=e.filter(s=>s.used),n=t.reduce((s,l)=>s+(l.text===""?0:l.size),0),i=e.length-t.length,r=I("What the model wa\
s sent",L(t.length,"piece"),n===0?"":$e(n),i===0?"":`${i} left out`),o=M(r,a("ul","pieces",...e.map(s=>a("li","piece",jn(s)))));return o.classList.add("smolcell\
-sent"),o}var Po={person:"chosen by you",notebook:"always in this notebook",setting:"by your setting context",task:"named in the task",trust:"from a trusted fol\
der"};function Io(e){let t=e.split(`
`,50).find(n=>n.trim()!=="")??"";return p(t.length>Hn?`${t.slice(0,Hn)}\u2026`:t)}var Hn=60;function jn(e){let{kind:t,name:n,text:i,size:r,sha256:o,by:s="",note:l="",
used:u}=e,c=o===""?null:a("code","digest",`SHA-256 ${p(o)}`),h=c!==null&&(t==="instructions"||t==="servers"),f=a("span","quiet",` ${I(r===0?"":$e(r),Po[s]??"",p(
l))} `),g=t==="cell"?Io(i):"",m=a("span","",u?null:a("span","missing","not sent"),u?null:" ",a("strong","",p(n)),f,g!==""&&a("code","quiet",g),h&&c);if(i==="")return a(
"div","piece-line",m);let d=a("pre","piece-text",p(i));return d.tabIndex=0,d.setAttribute("role","group"),d.setAttribute("aria-label",p(n)),M(m,d,!h&&c)}var Pt={};vn(Pt,{decode:()=>ke,encode:()=>G,format:()=>re,parse:()=>ye});var zn={};function Oo(e){let t=zn[e];if(t)return t;t=zn[e]=[];for(let n=0;n<128;n++){let i=String.fromCharCode(n);t.push(i)}for(let n=0;n<e.length;n++){let i=e.
charCodeAt(n);t[i]="%"+("0"+i.toString(16).toUpperCase()).slice(-2)}return t}function Xe(e,t){typeof t!="string"&&(t=Xe.defaultChars);let n=Oo(t);return e.replace(
/(%[a-f0-9]{2})+/gi,function(i){let r="";for(let o=0,s=i.length;o<s;o+=3){let l=parseInt(i.slice(o+1,o+3),16);if(l<128){r+=n[l];continue}if((l&224)===192&&o+3<s){
let u=parseInt(i.slice(o+4,o+6),16);if((u&192)===128){let c=l<<6&1984|u&63;c<128?r+="\uFFFD\uFFFD":r+=String.fromCharCode(c),o+=3;continue}}if((l&240)===224&&o+
6<s){let u=parseInt(i.slice(o+4,o+6),16),c=parseInt(i.slice(o+7,o+9),16);if((u&192)===128&&(c&192)===128){let h=l<<12&61440|u<<6&4032|c&63;h<2048||h>=55296&&h<=
57343?r+="\uFFFD\uFFFD\uFFFD":r+=String.fromCharCode(h),o+=6;continue}}if((l&248)===240&&o+9<s){let u=parseInt(i.slice(o+4,o+6),16),c=parseInt(i.slice(o+7,o+9),
16),h=parseInt(i.slice(o+10,o+12),16);if((u&192)===128&&(c&192)===128&&(h&192)===128){let f=l<<18&1835008|u<<12&258048|c<<6&4032|h&63;f<65536||f>1114111?r+="\uFFFD\uFFFD\uFFFD\
\uFFFD":(f-=65536,r+=String.fromCharCode(55296+(f>>10),56320+(f&1023))),o+=9;continue}}r+="\uFFFD"}return r})}Xe.defaultChars=";/?:@&=+$,#";Xe.componentChars="";
var ke=Xe;var Vn={};function No(e){let t=Vn[e];if(t)return t;t=Vn[e]=[];for(let n=0;n<128;n++){let i=String.fromCharCode(n);/^[0-9a-z]$/i.test(i)?t.push(i):t.push("%"+("0"+
n.toString(16).toUpperCase()).slice(-2))}for(let n=0;n<e.length;n++)t[e.charCodeAt(n)]=e[n];return t}function Ye(e,t,n){typeof t!="string"&&(n=t,t=Ye.defaultChars),
typeof n>"u"&&(n=!0);let i=No(t),r="";for(let o=0,s=e.length;o<s;o++){let l=e.charCodeAt(o);if(n&&l===37&&o+2<s&&/^[0-9a-f]{2}$/i.test(e.slice(o+1,o+3))){r+=e.slice(
o,o+3),o+=2;continue}if(l<128){r+=i[l];continue}if(l>=55296&&l<=57343){if(l>=55296&&l<=56319&&o+1<s){let u=e.charCodeAt(o+1);if(u>=56320&&u<=57343){r+=encodeURIComponent(
e[o]+e[o+1]),o++;continue}}r+="%EF%BF%BD";continue}r+=encodeURIComponent(e[o])}return r}Ye.defaultChars=";/?:@&=+$,-_.!~*'()#";Ye.componentChars="-_.!~*'()";var G=Ye;function re(e){let t="";return t+=e.protocol||"",t+=e.slashes?"//":"",t+=e.auth?e.auth+"@":"",e.hostname&&e.hostname.indexOf(":")!==-1?t+="["+e.hostname+"]":t+=
e.hostname||"",t+=e.port?":"+e.port:"",t+=e.pathname||"",t+=e.search||"",t+=e.hash||"",t}function Ze(){this.protocol=null,this.slashes=null,this.auth=null,this.port=null,this.hostname=null,this.hash=null,this.search=null,this.pathname=null}var Bo=/^([a-z0-9.+-]+:)/i,
Ho=/:[0-9]*$/,qo=/^(\/\/?(?!\/)[^\?\s]*)(\?[^\s]*)?$/,Uo=["<",">",'"',"`"," ","\r",`
`,"	"],jo=["{","}","|","\\","^","`"].concat(Uo),zo=["'"].concat(jo),Wn=["%","/","?",";","#"].concat(zo),Kn=["/","?","#"],Vo=255,Gn=/^[+a-z0-9A-Z_-]{0,63}$/,Wo=/^([+a-z0-9A-Z_-]{0,63})(.*)$/,
Xn={javascript:!0,"javascript:":!0},Yn={http:!0,https:!0,ftp:!0,gopher:!0,file:!0,"http:":!0,"https:":!0,"ftp:":!0,"gopher:":!0,"file:":!0};function Ko(e,t){if(e&&
e instanceof Ze)return e;let n=new Ze;return n.parse(e,t),n}Ze.prototype.parse=function(e,t){let n,i,r,o=e;if(o=o.trim(),!t&&e.split("#").length===1){let c=qo.exec(
o);if(c)return this.pathname=c[1],c[2]&&(this.search=c[2]),this}let s=Bo.exec(o);if(s&&(s=s[0],n=s.toLowerCase(),this.protocol=s,o=o.substr(s.length)),(t||s||o.
match(/^\/\/[^@\/]+@[^@\/]+/))&&(r=o.substr(0,2)==="//",r&&!(s&&Xn[s])&&(o=o.substr(2),this.slashes=!0)),!Xn[s]&&(r||s&&!Yn[s])){let c=-1;for(let d=0;d<Kn.length;d++)
i=o.indexOf(Kn[d]),i!==-1&&(c===-1||i<c)&&(c=i);let h,f;c===-1?f=o.lastIndexOf("@"):f=o.lastIndexOf("@",c),f!==-1&&(h=o.slice(0,f),o=o.slice(f+1),this.auth=h),c=
-1;for(let d=0;d<Wn.length;d++)i=o.indexOf(Wn[d]),i!==-1&&(c===-1||i<c)&&(c=i);c===-1&&(c=o.length),o[c-1]===":"&&c--;let g=o.slice(0,c);o=o.slice(c),this.parseHost(
g),this.hostname=this.hostname||"";let m=this.hostname[0]==="["&&this.hostname[this.hostname.length-1]==="]";if(!m){let d=this.hostname.split(/\./);for(let x=0,
A=d.length;x<A;x++){let y=d[x];if(y&&!y.match(Gn)){let D="";for(let E=0,v=y.length;E<v;E++)y.charCodeAt(E)>127?D+="x":D+=y[E];if(!D.match(Gn)){let E=d.slice(0,x),
v=d.slice(x+1),w=y.match(Wo);w&&(E.push(w[1]),v.unshift(w[2])),v.length&&(o=v.join(".")+o),this.hostname=E.join(".");break}}}}this.hostname.length>Vo&&(this.hostname=
""),m&&(this.hostname=this.hostname.substr(1,this.hostname.length-2))}let l=o.indexOf("#");l!==-1&&(this.hash=o.substr(l),o=o.slice(0,l));let u=o.indexOf("?");return u!==
-1&&(this.search=o.substr(u),o=o.slice(0,u)),o&&(this.pathname=o),Yn[n]&&this.hostname&&!this.pathname&&(this.pathname=""),this};Ze.prototype.parseHost=function(e){
let t=Ho.exec(e);t&&(t=t[0],t!==":"&&(this.port=t.substr(1)),e=e.substr(0,e.length-t.length)),e&&(this.hostname=e)};var ye=Ko;var Nt={};vn(Nt,{Any:()=>Go,Cc:()=>Xo,Cf:()=>Yo,P:()=>It,S:()=>Ot,Z:()=>Zo});var Go=/[\0-\uD7FF\uE000-\uFFFF]|[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/,
Xo=/[\0-\x1F\x7F-\x9F]/,Yo=/[\xAD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]|\uD804[\uDCBD\uDCCD]|\uD80D[\uDC30-\uDC3F]|\uD82F[\uDCA0-\uDCA3]|\uD834[\uDD73-\uDD7A]|\uDB40[\uDC01\uDC20-\uDC7F]/,
It=/[!-#%-\*,-\/:;\?@\[-\]_\{\}\xA1\xA7\xAB\xB6\xB7\xBB\xBF\u037E\u0387\u055A-\u055F\u0589\u058A\u05BE\u05C0\u05C3\u05C6\u05F3\u05F4\u0609\u060A\u060C\u060D\u061B\u061D-\u061F\u066A-\u066D\u06D4\u0700-\u070D\u07F7-\u07F9\u0830-\u083E\u085E\u0964\u0965\u0970\u09FD\u0A76\u0AF0\u0C77\u0C84\u0DF4\u0E4F\u0E5A\u0E5B\u0F04-\u0F12\u0F14\u0F3A-\u0F3D\u0F85\u0FD0-\u0FD4\u0FD9\u0FDA\u104A-\u104F\u10FB\u1360-\u1368\u1400\u166E\u169B\u169C\u16EB-\u16ED\u1735\u1736\u17D4-\u17D6\u17D8-\u17DA\u1800-\u180A\u1944\u1945\u1A1E\u1A1F\u1AA0-\u1AA6\u1AA8-\u1AAD\u1B4E\u1B4F\u1B5A-\u1B60\u1B7D-\u1B7F\u1BFC-\u1BFF\u1C3B-\u1C3F\u1C7E\u1C7F\u1CC0-\u1CC7\u1CD3\u2010-\u2027\u2030-\u2043\u2045-\u2051\u2053-\u205E\u207D\u207E\u208D\u208E\u2308-\u230B\u2329\u232A\u2768-\u2775\u27C5\u27C6\u27E6-\u27EF\u2983-\u2998\u29D8-\u29DB\u29FC\u29FD\u2CF9-\u2CFC\u2CFE\u2CFF\u2D70\u2E00-\u2E2E\u2E30-\u2E4F\u2E52-\u2E5D\u3001-\u3003\u3008-\u3011\u3014-\u301F\u3030\u303D\u30A0\u30FB\uA4FE\uA4FF\uA60D-\uA60F\uA673\uA67E\uA6F2-\uA6F7\uA874-\uA877\uA8CE\uA8CF\uA8F8-\uA8FA\uA8FC\uA92E\uA92F\uA95F\uA9C1-\uA9CD\uA9DE\uA9DF\uAA5C-\uAA5F\uAADE\uAADF\uAAF0\uAAF1\uABEB\uFD3E\uFD3F\uFE10-\uFE19\uFE30-\uFE52\uFE54-\uFE61\uFE63\uFE68\uFE6A\uFE6B\uFF01-\uFF03\uFF05-\uFF0A\uFF0C-\uFF0F\uFF1A\uFF1B\uFF1F\uFF20\uFF3B-\uFF3D\uFF3F\uFF5B\uFF5D\uFF5F-\uFF65]|\uD800[\uDD00-\uDD02\uDF9F\uDFD0]|\uD801\uDD6F|\uD802[\uDC57\uDD1F\uDD3F\uDE50-\uDE58\uDE7F\uDEF0-\uDEF6\uDF39-\uDF3F\uDF99-\uDF9C]|\uD803[\uDD6E\uDEAD\uDED0\uDF55-\uDF59\uDF86-\uDF89]|\uD804[\uDC47-\uDC4D\uDCBB\uDCBC\uDCBE-\uDCC1\uDD40-\uDD43\uDD74\uDD75\uDDC5-\uDDC8\uDDCD\uDDDB\uDDDD-\uDDDF\uDE38-\uDE3D\uDEA9\uDFD4\uDFD5\uDFD7\uDFD8]|\uD805[\uDC4B-\uDC4F\uDC5A\uDC5B\uDC5D\uDCC6\uDDC1-\uDDD7\uDE41-\uDE43\uDE60-\uDE6C\uDEB9\uDF3C-\uDF3E]|\uD806[\uDC3B\uDD44-\uDD46\uDDE2\uDE3F-\uDE46\uDE9A-\uDE9C\uDE9E-\uDEA2\uDF00-\uDF09\uDFE1]|\uD807[\uDC41-\uDC45\uDC70\uDC71\uDEF7\uDEF8\uDF43-\uDF4F\uDFFF]|\uD809[\uDC70-\uDC74]|\uD80B[\uDFF1\uDFF2]|\uD81A[\uDE6E\uDE6F\uDEF5\uDF37-\uDF3B\uDF44]|\uD81B[\uDD6D-\uDD6F\uDE97-\uDE9A\uDFE2]|\uD82F\uDC9F|\uD836[\uDE87-\uDE8B]|\uD839\uDDFF|\uD83A[\uDD5E\uDD5F]/,
Ot=/[\$\+<->\^`\|~\xA2-\xA6\xA8\xA9\xAC\xAE-\xB1\xB4\xB8\xD7\xF7\u02C2-\u02C5\u02D2-\u02DF\u02E5-\u02EB\u02ED\u02EF-\u02FF\u0375\u0384\u0385\u03F6\u0482\u058D-\u058F\u0606-\u0608\u060B\u060E\u060F\u06DE\u06E9\u06FD\u06FE\u07F6\u07FE\u07FF\u0888\u09F2\u09F3\u09FA\u09FB\u0AF1\u0B70\u0BF3-\u0BFA\u0C7F\u0D4F\u0D79\u0E3F\u0F01-\u0F03\u0F13\u0F15-\u0F17\u0F1A-\u0F1F\u0F34\u0F36\u0F38\u0FBE-\u0FC5\u0FC7-\u0FCC\u0FCE\u0FCF\u0FD5-\u0FD8\u109E\u109F\u1390-\u1399\u166D\u17DB\u1940\u19DE-\u19FF\u1B61-\u1B6A\u1B74-\u1B7C\u1FBD\u1FBF-\u1FC1\u1FCD-\u1FCF\u1FDD-\u1FDF\u1FED-\u1FEF\u1FFD\u1FFE\u2044\u2052\u207A-\u207C\u208A-\u208C\u20A0-\u20C1\u2100\u2101\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118\u211E-\u2123\u2125\u2127\u2129\u212E\u213A\u213B\u2140-\u2144\u214A-\u214D\u214F\u218A\u218B\u2190-\u2307\u230C-\u2328\u232B-\u2429\u2440-\u244A\u249C-\u24E9\u2500-\u2767\u2794-\u27C4\u27C7-\u27E5\u27F0-\u2982\u2999-\u29D7\u29DC-\u29FB\u29FE-\u2B73\u2B76-\u2BFF\u2CE5-\u2CEA\u2E50\u2E51\u2E80-\u2E99\u2E9B-\u2EF3\u2F00-\u2FD5\u2FF0-\u2FFF\u3004\u3012\u3013\u3020\u3036\u3037\u303E\u303F\u309B\u309C\u3190\u3191\u3196-\u319F\u31C0-\u31E5\u31EF\u3200-\u321E\u322A-\u3247\u3250\u3260-\u327F\u328A-\u32B0\u32C0-\u33FF\u4DC0-\u4DFF\uA490-\uA4C6\uA700-\uA716\uA720\uA721\uA789\uA78A\uA828-\uA82B\uA836-\uA839\uAA77-\uAA79\uAB5B\uAB6A\uAB6B\uFB29\uFBB2-\uFBD2\uFD40-\uFD4F\uFD90\uFD91\uFDC8-\uFDCF\uFDFC-\uFDFF\uFE62\uFE64-\uFE66\uFE69\uFF04\uFF0B\uFF1C-\uFF1E\uFF3E\uFF40\uFF5C\uFF5E\uFFE0-\uFFE6\uFFE8-\uFFEE\uFFFC\uFFFD]|\uD800[\uDD37-\uDD3F\uDD79-\uDD89\uDD8C-\uDD8E\uDD90-\uDD9C\uDDA0\uDDD0-\uDDFC]|\uD802[\uDC77\uDC78\uDEC8]|\uD803[\uDD8E\uDD8F\uDED1-\uDED8]|\uD805\uDF3F|\uD807[\uDFD5-\uDFF1]|\uD81A[\uDF3C-\uDF3F\uDF45]|\uD82F\uDC9C|\uD833[\uDC00-\uDCEF\uDCFA-\uDCFC\uDD00-\uDEB3\uDEBA-\uDED0\uDEE0-\uDEF0\uDF50-\uDFC3]|\uD834[\uDC00-\uDCF5\uDD00-\uDD26\uDD29-\uDD64\uDD6A-\uDD6C\uDD83\uDD84\uDD8C-\uDDA9\uDDAE-\uDDEA\uDE00-\uDE41\uDE45\uDF00-\uDF56]|\uD835[\uDEC1\uDEDB\uDEFB\uDF15\uDF35\uDF4F\uDF6F\uDF89\uDFA9\uDFC3]|\uD836[\uDC00-\uDDFF\uDE37-\uDE3A\uDE6D-\uDE74\uDE76-\uDE83\uDE85\uDE86]|\uD838[\uDD4F\uDEFF]|\uD83B[\uDCAC\uDCB0\uDD2E\uDEF0\uDEF1]|\uD83C[\uDC00-\uDC2B\uDC30-\uDC93\uDCA0-\uDCAE\uDCB1-\uDCBF\uDCC1-\uDCCF\uDCD1-\uDCF5\uDD0D-\uDDAD\uDDE6-\uDE02\uDE10-\uDE3B\uDE40-\uDE48\uDE50\uDE51\uDE60-\uDE65\uDF00-\uDFFF]|\uD83D[\uDC00-\uDED8\uDEDC-\uDEEC\uDEF0-\uDEFC\uDF00-\uDFD9\uDFE0-\uDFEB\uDFF0]|\uD83E[\uDC00-\uDC0B\uDC10-\uDC47\uDC50-\uDC59\uDC60-\uDC87\uDC90-\uDCAD\uDCB0-\uDCBB\uDCC0\uDCC1\uDCD0-\uDCD8\uDD00-\uDE57\uDE60-\uDE6D\uDE70-\uDE7C\uDE80-\uDE8A\uDE8E-\uDEC6\uDEC8\uDECD-\uDEDC\uDEDF-\uDEEA\uDEEF-\uDEF8\uDF00-\uDF92\uDF94-\uDFEF\uDFFA]/,
Zo=/[ \xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/;var Je=class{},ve=e=>e;var Bt={toASCII:ve,toUnicode:ve};var Zn=Object.defineProperty,ai=(e,t)=>{let n={};for(var i in e)Zn(n,i,{get:e[i],enumerable:!0});return t||Zn(n,Symbol.toStringTag,{value:"Module"}),n},Jo=ai({arrayReplaceAt:()=>Qo,
asciiTrim:()=>it,callable:()=>ci,escapeHtml:()=>X,escapeRE:()=>as,fromCodePoint:()=>Ee,isMdAsciiPunct:()=>Ae,isPunctChar:()=>hi,isPunctCharCode:()=>xe,isSpace:()=>F,
isValidEntityCode:()=>Vt,isWhiteSpace:()=>Ce,lib:()=>cs,normalizeReference:()=>nt,unescapeAll:()=>oe,unescapeMd:()=>is});function ci(e){let t=function(...n){return Reflect.
construct(e,n,new.target&&new.target!==t?new.target:e)};return Object.defineProperty(t,"name",{value:e.name}),Object.setPrototypeOf(t,e),t.prototype=e.prototype,
t}function Qo(e,t,n){return[].concat(e.slice(0,t),n,e.slice(t+1))}function Vt(e){return!(e>=55296&&e<=57343||e>=64976&&e<=65007||(e&65535)===65535||(e&65535)===
65534||e>=0&&e<=8||e===11||e>=14&&e<=31||e>=127&&e<=159||e>1114111)}function Ee(e){if(e>65535){e-=65536;let t=55296+(e>>10),n=56320+(e&1023);return String.fromCharCode(
t,n)}return String.fromCharCode(e)}var di=/\\([!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~])/g,es=new RegExp(`${di.source}|${/&([a-z#][a-z0-9]{1,31});/gi.source}`,"gi"),
ts=/^#((?:x[a-f0-9]{1,8}|[0-9]{1,8}))$/i;function ns(e,t){if(t.charCodeAt(0)===35&&ts.test(t)){let i=t[1].toLowerCase()==="x"?parseInt(t.slice(2),16):parseInt(t.
slice(1),10);return Vt(i)?Ee(i):e}let n=ve(e);return n!==e?n:e}function is(e){return e.indexOf("\\")<0?e:e.replace(di,"$1")}function oe(e){return e.indexOf("\\")<
0&&e.indexOf("&")<0?e:e.replace(es,function(t,n,i){return n||ns(t,i)})}var rs=/[&<>"]/,os=/[&<>"]/g,ss={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;"};function ls(e){
return ss[e]}function X(e){return rs.test(e)?e.replace(os,ls):e}var us=/[.?*+^$[\]\\(){}|-]/g;function as(e){return e.replace(us,"\\$&")}function F(e){switch(e){case 9:case 32:
return!0}return!1}function Ce(e){if(e>=8192&&e<=8202)return!0;switch(e){case 9:case 10:case 11:case 12:case 13:case 32:case 160:case 5760:case 8239:case 8287:case 12288:
return!0}return!1}function hi(e){return It.test(e)||Ot.test(e)}function xe(e){return hi(Ee(e))}function Ae(e){switch(e){case 33:case 34:case 35:case 36:case 37:case 38:case 39:case 40:case 41:case 42:case 43:case 44:case 45:case 46:case 47:case 58:case 59:case 60:case 61:case 62:case 63:case 64:case 91:case 92:case 93:case 94:case 95:case 96:case 123:case 124:case 125:case 126:
return!0;default:return!1}}function nt(e){return e=e.trim().replace(/\s+/g," "),e.toLowerCase().toUpperCase()}function Jn(e){return e===32||e===9||e===10||e===13}
function it(e){let t=0;for(;t<e.length&&Jn(e.charCodeAt(t));t++);let n=e.length-1;for(;n>=t&&Jn(e.charCodeAt(n));n--);return e.slice(t,n+1)}var cs={mdurl:Pt,ucmicro:Nt};
function ds(e,t,n){let i,r,o,s,l=e.posMax,u=e.pos;for(e.pos=t+1,i=1;e.pos<l;){if(o=e.src.charCodeAt(e.pos),o===93&&(i--,i===0)){r=!0;break}if(s=e.pos,e.md.inline.
skipToken(e),o===91){if(s===e.pos-1)i++;else if(n)return e.pos=u,-1}}let c=-1;return r&&(c=e.pos),e.pos=u,c}function hs(e,t,n){let i,r=t,o={ok:!1,pos:0,str:""};
if(e.charCodeAt(r)===60){for(r++;r<n;){if(i=e.charCodeAt(r),i===10||i===60)return o;if(i===62)return o.pos=r+1,o.str=oe(e.slice(t+1,r)),o.ok=!0,o;if(i===92&&r+1<
n){r+=2;continue}r++}return o}let s=0;for(;r<n&&(i=e.charCodeAt(r),!(i===32||i<32||i===127));){if(i===92&&r+1<n){if(e.charCodeAt(r+1)===32){r++;continue}r+=2;continue}
if(i===40&&(s++,s>32))return o;if(i===41){if(s===0)break;s--}r++}return t===r||s!==0||(o.str=oe(e.slice(t,r)),o.pos=r,o.ok=!0),o}function fs(e,t,n,i){let r,o=t,
s={ok:!1,can_continue:!1,pos:0,str:"",marker:0};if(i)s.str=i.str,s.marker=i.marker;else{if(o>=n)return s;let l=e.charCodeAt(o);if(l!==34&&l!==39&&l!==40)return s;
t++,o++,l===40&&(l=41),s.marker=l}for(;o<n;){if(r=e.charCodeAt(o),r===s.marker)return s.pos=o+1,s.str+=oe(e.slice(t,o)),s.ok=!0,s;if(r===40&&s.marker===41)return s;
r===92&&o+1<n&&o++,o++}return s.can_continue=!0,s.str+=oe(e.slice(t,o)),s}var ps=ai({parseLinkDestination:()=>hs,parseLinkLabel:()=>ds,parseLinkTitle:()=>fs});function De(e){
"@babel/helpers - typeof";return De=typeof Symbol=="function"&&typeof Symbol.iterator=="symbol"?function(t){return typeof t}:function(t){return t&&typeof Symbol==
"function"&&t.constructor===Symbol&&t!==Symbol.prototype?"symbol":typeof t},De(e)}function ms(e,t){if(De(e)!="object"||!e)return e;var n=e[Symbol.toPrimitive];if(n!==
void 0){var i=n.call(e,t||"default");if(De(i)!="object")return i;throw new TypeError("@@toPrimitive must return a primitive value.")}return(t==="string"?String:
Number)(e)}function gs(e){var t=ms(e,"string");return De(t)=="symbol"?t:t+""}function b(e,t,n){return(t=gs(t))in e?Object.defineProperty(e,t,{value:n,enumerable:!0,
configurable:!0,writable:!0}):e[t]=n,e}var ee=class{constructor(e,t,n){b(this,"map",null),b(this,"level",0),b(this,"children",null),b(this,"content",""),b(this,
"markup",""),b(this,"info",""),b(this,"block",!1),b(this,"hidden",!1),this.type=e,this.tag=t,this.attrs=null,this.nesting=n,this.meta=null}attrIndex(e){if(!this.
attrs)return-1;let t=this.attrs;for(let n=0,i=t.length;n<i;n++)if(t[n][0]===e)return n;return-1}attrPush(e){this.attrs?this.attrs.push(e):this.attrs=[e]}attrSet(e,t){
let n=this.attrIndex(e),i=[e,t];n<0?this.attrPush(i):this.attrs[n]=i}attrGet(e){let t=this.attrIndex(e),n=null;return t>=0&&(n=this.attrs[t][1]),n}attrJoin(e,t){
let n=this.attrIndex(e);n<0?this.attrPush([e,t]):this.attrs[n][1]=`${this.attrs[n][1]} ${t}`}},Se=class{constructor(){b(this,"__rules__",[]),b(this,"__cache__",
null)}__find__(e){for(let t=0;t<this.__rules__.length;t++)if(this.__rules__[t].name===e)return t;return-1}__compile__(){let e=new Set;this.__rules__.forEach(t=>{
t.enabled&&t.alt.forEach(n=>{n&&e.add(n)})}),this.__cache__=Object.create(null),this.__cache__[""]=[],this.__rules__.forEach(t=>{t.enabled&&this.__cache__[""].push(
t.fn)}),e.forEach(t=>{this.__cache__[t]=[],this.__rules__.forEach(n=>{n.enabled&&n.alt.indexOf(t)>=0&&this.__cache__[t].push(n.fn)})})}at(e,t,n={}){let i=this.__find__(
e);if(i===-1)throw new Error(`Parser rule not found: ${e}`);this.__rules__[i].fn=t,this.__rules__[i].alt=n.alt||[],this.__cache__=null}before(e,t,n,i={}){let r=this.
__find__(e);if(r===-1)throw new Error(`Parser rule not found: ${e}`);this.__rules__.splice(r,0,{name:t,enabled:!0,fn:n,alt:i.alt||[]}),this.__cache__=null}after(e,t,n,i={}){
let r=this.__find__(e);if(r===-1)throw new Error(`Parser rule not found: ${e}`);this.__rules__.splice(r+1,0,{name:t,enabled:!0,fn:n,alt:i.alt||[]}),this.__cache__=
null}push(e,t,n={}){this.__rules__.push({name:e,enabled:!0,fn:t,alt:n.alt||[]}),this.__cache__=null}enable(e,t=!1){Array.isArray(e)||(e=[e]);let n=[];return e.forEach(
i=>{let r=this.__find__(i);if(r<0){if(t)return;throw new Error(`Rules manager: invalid rule name ${i}`)}this.__rules__[r].enabled=!0,n.push(i)}),this.__cache__=
null,n}enableOnly(e,t=!1){Array.isArray(e)||(e=[e]),this.__rules__.forEach(n=>{n.enabled=!1}),this.enable(e,t)}disable(e,t=!1){Array.isArray(e)||(e=[e]);let n=[];
return e.forEach(i=>{let r=this.__find__(i);if(r<0){if(t)return;throw new Error(`Rules manager: invalid rule name ${i}`)}this.__rules__[r].enabled=!1,n.push(i)}),
this.__cache__=null,n}getRules(e){return this.__cache__||this.__compile__(),this.__cache__[e]||[]}},H={};H.code_inline=function(e,t,n,i,r){let o=e[t];return`<co\
de${r.renderAttrs(o)}>${X(o.content)}</code>`};H.code_block=function(e,t,n,i,r){let o=e[t];return`<pre${r.renderAttrs(o)}><code>${X(e[t].content)}</code></pre>
`};H.fence=function(e,t,n,i,r){let o=e[t],s=o.info?oe(o.info).trim():"",l="",u="";if(s){let h=s.split(/(\s+)/g);l=h[0],u=h.slice(2).join("")}let c;if(n.highlight?
c=n.highlight(o.content,l,u)||X(o.content):c=X(o.content),c.indexOf("<pre")===0)return c+`
`;if(s){let h=o.attrIndex("class"),f=o.attrs?o.attrs.slice():[];h<0?f.push(["class",`${n.langPrefix}${l}`]):(f[h]=[f[h][0],f[h][1]],f[h][1]+=` ${n.langPrefix}${l}`);
let g={attrs:f};return`<pre><code${r.renderAttrs(g)}>${c}</code></pre>
`}return`<pre><code${r.renderAttrs(o)}>${c}</code></pre>
`};H.image=function(e,t,n,i,r){let o=e[t];return o.attrs[o.attrIndex("alt")][1]=r.renderInlineAsText(o.children,n,i),r.renderToken(e,t,n)};H.hardbreak=function(e,t,n){
return n.xhtmlOut?`<br />
`:`<br>
`};H.softbreak=function(e,t,n){return n.breaks?n.xhtmlOut?`<br />
`:`<br>
`:`
`};H.text=function(e,t){return X(e[t].content)};H.html_block=function(e,t){return e[t].content};H.html_inline=function(e,t){return e[t].content};var fi=class{constructor(){
b(this,"rules",Object.assign({},H))}renderAttrs(e){let t,n,i;if(!e.attrs)return"";for(i="",t=0,n=e.attrs.length;t<n;t++)i+=` ${X(e.attrs[t][0])}="${X(String(e.attrs[t][1]))}\
"`;return i}renderToken(e,t,n){let i=e[t],r="";if(i.hidden)return"";let o=t-1;for(;o>=0&&e[o].hidden&&e[o].nesting===0;)o--;i.block&&i.nesting!==-1&&o>=0&&e[o].
hidden&&e[o].nesting===-1&&(r+=`
`),r+=(i.nesting===-1?"</":"<")+i.tag,r+=this.renderAttrs(i),i.nesting===0&&n.xhtmlOut&&(r+=" /");let s=!1;if(i.block&&(s=!0,i.nesting===1)){let l=t+1;for(;l<e.
length&&e[l].hidden&&e[l].nesting===0;)l++;if(l<e.length){let u=e[l];(u.type==="inline"||u.hidden||u.nesting===-1&&u.tag===i.tag)&&(s=!1)}}return r+=s?`>
`:">",r}renderInline(e,t,n){let i="",r=this.rules;for(let o=0,s=e.length;o<s;o++){let l=e[o].type;typeof r[l]<"u"?i+=r[l](e,o,t,n,this):i+=this.renderToken(e,o,
t)}return i}renderInlineAsText(e,t,n){let i="";for(let r=0,o=e.length;r<o;r++)switch(e[r].type){case"text":case"code_inline":i+=e[r].content;break;case"image":i+=
this.renderInlineAsText(e[r].children,t,n);break;case"html_inline":case"html_block":i+=e[r].content;break;case"softbreak":case"hardbreak":i+=`
`}return i}render(e,t,n){let i="",r=this.rules;for(let o=0,s=e.length;o<s;o++){let l=e[o].type;l==="inline"?i+=this.renderInline(e[o].children,t,n):typeof r[l]<
"u"?i+=r[l](e,o,t,n,this):i+=this.renderToken(e,o,t)}return i}},pi=class{constructor(e,t,n){b(this,"tokens",[]),b(this,"inlineMode",!1),b(this,"Token",ee),this.
src=e,this.env=n,this.md=t}},bs=/\r\n?/g,ks=/\0/g;function ys(e){let t;t=e.src.replace(bs,`
`),t=t.replace(ks,"\uFFFD"),e.src=t}function vs(e){let t;e.inlineMode?(t=new e.Token("inline","",0),t.content=e.src,t.map=[0,1],t.children=[],e.tokens.push(t)):
e.md.block.parse(e.src,e.md,e.env,e.tokens)}function ws(e){let t=e.tokens,n=0;for(let i=0;i<t.length;i++)t[i].type!=="reference_definition"&&(i!==n&&(t[n]=t[i]),
n++);t.length!==n&&(t.length=n)}function Es(e){let t=e.tokens;for(let n=0,i=t.length;n<i;n++){let r=t[n];r.type==="inline"&&e.md.inline.parse(r.content,e.md,e.env,
r.children)}}function Cs(e){return/^<a[>\s]/i.test(e)}function xs(e){return/^<\/a\s*>/i.test(e)}function As(e){let t=e.tokens;if(e.md.options.linkify)for(let n=0,
i=t.length;n<i;n++){if(t[n].type!=="inline"||!e.md.linkify.test(t[n].content))continue;let r=t[n].children,o=[],s=0;for(let l=r.length-1;l>=0;l--){let u=r[l];if(u.
type==="link_close"){for(l--;r[l].level!==u.level&&r[l].type!=="link_open";)l--;continue}if(u.type==="html_inline"&&(Cs(u.content)&&s>0&&s--,xs(u.content)&&s++),
!(s>0)&&u.type==="text"&&e.md.linkify.test(u.content)){let c=u.content,h=e.md.linkify.match(c),f=[],g=u.level,m=0;h.length>0&&h[0].index===0&&l>0&&r[l-1].type===
"text_special"&&(h=h.slice(1));for(let d=0;d<h.length;d++){let x=h[d].url,A=e.md.normalizeLink(x);if(!e.md.validateLink(A))continue;let y=h[d].text;h[d].schema?
h[d].schema==="mailto:"&&!/^mailto:/i.test(y)?y=e.md.normalizeLinkText(`mailto:${y}`).replace(/^mailto:/,""):y=e.md.normalizeLinkText(y):y=e.md.normalizeLinkText(
`http://${y}`).replace(/^http:\/\//,"");let D=h[d].index;if(D>m){let k=new e.Token("text","",0);k.content=c.slice(m,D),k.level=g,f.push(k)}let E=new e.Token("li\
nk_open","a",1);E.attrs=[["href",A]],E.level=g++,E.markup="linkify",E.info="auto",f.push(E);let v=new e.Token("text","",0);v.content=y,v.level=g,f.push(v);let w=new e.
Token("link_close","a",-1);w.level=--g,w.markup="linkify",w.info="auto",f.push(w),m=h[d].lastIndex}if(m<c.length){let d=new e.Token("text","",0);d.content=c.slice(
m),d.level=g,f.push(d)}o.push({index:l,nodes:f})}}if(o.length>0){let l=r.length;for(let f of o)l+=f.nodes.length-1;let u=new Array(l),c=0,h=0;o.reverse();for(let f=0;f<
r.length;f++){let g=o[c];if(g?.index===f){for(let m of g.nodes)u[h++]=m;c++}else u[h++]=r[f]}t[n].children=u}}}var mi=/\+-|\.\.|\?\?\?\?|!!!!|,,|--/,Ds=/\((c|tm|r)\)/i,
Ss=/\((c|tm|r)\)/gi,Fs={c:"\xA9",r:"\xAE",tm:"\u2122"};function Ts(e,t){return Fs[t.toLowerCase()]}function _s(e){let t=0;for(let n=e.length-1;n>=0;n--){let i=e[n];
i.type==="text"&&!t&&(i.content=i.content.replace(Ss,Ts)),i.type==="link_open"&&i.info==="auto"&&t--,i.type==="link_close"&&i.info==="auto"&&t++}}function Ms(e){
let t=0;for(let n=e.length-1;n>=0;n--){let i=e[n];i.type==="text"&&!t&&mi.test(i.content)&&(i.content=i.content.replace(/\+-/g,"\xB1").replace(/\.{2,}/g,"\u2026").
replace(/([?!])…/g,"$1..").replace(/([?!]){4,}/g,"$1$1$1").replace(/,{2,}/g,",").replace(/(^|[^-])---(?=[^-]|$)/gm,"$1\u2014").replace(/(^|\s)--(?=\s|$)/gm,"$\
1\u2013").replace(/(^|[^-\s])--(?=[^-\s]|$)/gm,"$1\u2013")),i.type==="link_open"&&i.info==="auto"&&t--,i.type==="link_close"&&i.info==="auto"&&t++}}function Ls(e){
let t;if(e.md.options.typographer)for(t=e.tokens.length-1;t>=0;t--)e.tokens[t].type==="inline"&&(Ds.test(e.tokens[t].content)&&_s(e.tokens[t].children),mi.test(
e.tokens[t].content)&&Ms(e.tokens[t].children))}var Rs=/['"]/,Qn=/['"]/g,ei="\u2019",$s=1e3;function ti(e,t,n){for(;e.length>n;){let i=e.pop();i.isSingleQuote?t.
single=i.prevSameQuoteIdx:t.double=i.prevSameQuoteIdx}}function Qe(e,t,n,i){e[t]||(e[t]=[]),e[t].push({pos:n,ch:i})}function Ps(e,t){let n="",i=0;t.sort((r,o)=>r.
pos-o.pos);for(let r=0;r<t.length;r++){let o=t[r];n+=e.slice(i,o.pos)+o.ch,i=o.pos+1}return n+e.slice(i)}function Is(e,t){let n,i=[],r={single:-1,double:-1},o={};
for(let s=0;s<e.length;s++){let l=e[s],u=e[s].level;for(n=i.length-1;n>=0&&!(i[n].level<=u);n--);if(ti(i,r,n+1),l.type!=="text")continue;let c=l.content,h=0,f=c.
length;e:for(;h<f;){Qn.lastIndex=h;let g=Qn.exec(c);if(!g)break;let m=!0,d=!0;h=g.index+1;let x=g[0]==="'",A=32;if(g.index-1>=0)A=c.charCodeAt(g.index-1);else for(n=
s-1;n>=0&&!(e[n].type==="softbreak"||e[n].type==="hardbreak");n--)if(e[n].content){A=e[n].content.charCodeAt(e[n].content.length-1);break}let y=32;if(h<f)y=c.charCodeAt(
h);else for(n=s+1;n<e.length&&!(e[n].type==="softbreak"||e[n].type==="hardbreak");n++)if(e[n].content){y=e[n].content.charCodeAt(0);break}let D=Ae(A)||xe(A),E=Ae(
y)||xe(y),v=Ce(A),w=Ce(y);if(w?m=!1:E&&(v||D||(m=!1)),v?d=!1:D&&(w||E||(d=!1)),y===34&&g[0]==='"'&&A>=48&&A<=57&&(d=m=!1),m&&d&&(m=D,d=E),!m&&!d){x&&Qe(o,s,g.index,
ei);continue}if(d&&(n=x?r.single:r.double,n>=0&&i[n].level===u)){let k=i[n],S,P;x?(S=t.md.options.quotes[2],P=t.md.options.quotes[3]):(S=t.md.options.quotes[0],
P=t.md.options.quotes[1]),Qe(o,s,g.index,P),Qe(o,k.tokenIdx,k.contentPos,S),ti(i,r,n);continue e}if(m){if(i.length>=$s)return;i.push({tokenIdx:s,contentPos:g.index,
isSingleQuote:x,level:u,prevSameQuoteIdx:x?r.single:r.double}),x?r.single=i.length-1:r.double=i.length-1}else d&&x&&Qe(o,s,g.index,ei)}}Object.keys(o).forEach(function(s){
let l=Number(s);e[l].content=Ps(e[l].content,o[s])})}function Os(e){if(e.md.options.typographer)for(let t=e.tokens.length-1;t>=0;t--)e.tokens[t].type!=="inline"||
!Rs.test(e.tokens[t].content)||Is(e.tokens[t].children,e)}function Ns(e){let t,n,i=e.length;for(t=0;t<i;t++)e[t].type==="text_special"&&(e[t].type="text");for(t=
n=0;t<i;t++)e[t].type==="text"&&t+1<i&&e[t+1].type==="text"?e[t+1].content=e[t].content+e[t+1].content:(t!==n&&(e[n]=e[t]),n++);t!==n&&(e.length=n)}function Bs(e){
let t,n,i=e.tokens,r=i.length;for(let o=0;o<r;o++){if(i[o].type!=="inline")continue;let s=i[o].children,l=s.length;for(t=0;t<l;t++)s[t].type==="text_special"&&(s[t].
type="text"),s[t].children&&Ns(s[t].children);for(t=n=0;t<l;t++)s[t].type==="text"&&t+1<l&&s[t+1].type==="text"?s[t+1].content=s[t].content+s[t+1].content:(t!==
n&&(s[n]=s[t]),n++);t!==n&&(s.length=n)}}var Ht=[["normalize",ys],["block",vs],["strip_references",ws],["inline",Es],["linkify",As],["replacements",Ls],["smartq\
uotes",Os],["text_join",Bs]],gi=class{constructor(){b(this,"ruler",new Se),b(this,"State",pi);for(let e=0;e<Ht.length;e++)this.ruler.push(Ht[e][0],Ht[e][1])}process(e){
let t=this.ruler.getRules("");for(let n=0,i=t.length;n<i;n++)t[n](e)}},bi=class{constructor(e,t,n,i){b(this,"bMarks",[]),b(this,"eMarks",[]),b(this,"tShift",[]),
b(this,"sCount",[]),b(this,"bsCount",[]),b(this,"blkIndent",0),b(this,"line",0),b(this,"lineMax",0),b(this,"tight",!1),b(this,"listIndent",-1),b(this,"parentTyp\
e","root"),b(this,"level",0),b(this,"Token",ee),this.src=e,this.md=t,this.env=n,this.tokens=i;let r=this.src;for(let o=0,s=0,l=0,u=0,c=r.length,h=!1;s<c;s++){let f=r.
charCodeAt(s);if(!h)if(F(f)){l++,f===9?u+=4-u%4:u++;continue}else h=!0;(f===10||s===c-1)&&(f!==10&&s++,this.bMarks.push(o),this.eMarks.push(s),this.tShift.push(
l),this.sCount.push(u),this.bsCount.push(0),h=!1,l=0,u=0,o=s+1)}this.bMarks.push(r.length),this.eMarks.push(r.length),this.tShift.push(0),this.sCount.push(0),this.
bsCount.push(0),this.lineMax=this.bMarks.length-1}push(e,t,n){let i=new ee(e,t,n);return i.block=!0,n<0&&this.level--,i.level=this.level,n>0&&this.level++,this.
tokens.push(i),i}isEmpty(e){return this.bMarks[e]+this.tShift[e]>=this.eMarks[e]}skipEmptyLines(e){for(let t=this.lineMax;e<t&&!(this.bMarks[e]+this.tShift[e]<this.
eMarks[e]);e++);return e}skipSpaces(e){for(let t=this.src.length;e<t&&F(this.src.charCodeAt(e));e++);return e}skipSpacesBack(e,t){if(e<=t)return e;for(;e>t;)if(!F(
this.src.charCodeAt(--e)))return e+1;return e}skipChars(e,t){for(let n=this.src.length;e<n&&this.src.charCodeAt(e)===t;e++);return e}skipCharsBack(e,t,n){if(e<=
n)return e;for(;e>n;)if(t!==this.src.charCodeAt(--e))return e+1;return e}getLines(e,t,n,i){if(e>=t)return"";let r=new Array(t-e);for(let o=0,s=e;s<t;s++,o++){let l=0,
u=this.bMarks[s],c=u,h;for(s+1<t||i?h=this.eMarks[s]+1:h=this.eMarks[s];c<h&&l<n;){let f=this.src.charCodeAt(c);if(F(f))f===9?l+=4-(l+this.bsCount[s])%4:l++;else if(c-
u<this.tShift[s])l++;else break;c++}l>n?r[o]=new Array(l-n+1).join(" ")+this.src.slice(c,h):r[o]=this.src.slice(c,h)}return r.join("")}},Hs=65536;function qt(e,t){
let n=e.bMarks[t]+e.tShift[t],i=e.eMarks[t];return e.src.slice(n,i)}function ni(e){let t=[],n=e.length,i=0,r=e.charCodeAt(i),o=!1,s=0,l="";for(;i<n;)r===124&&(o?
(l+=e.substring(s,i-1),s=i):(t.push(l+e.substring(s,i)),l="",s=i+1)),o=r===92,i++,r=e.charCodeAt(i);return t.push(l+e.substring(s)),t}function qs(e,t,n,i){if(t+
2>n)return!1;let r=t+1;if(e.sCount[r]<e.blkIndent||e.sCount[r]-e.blkIndent>=4)return!1;let o=e.bMarks[r]+e.tShift[r];if(o>=e.eMarks[r])return!1;let s=e.src.charCodeAt(
o++);if(s!==124&&s!==45&&s!==58||o>=e.eMarks[r])return!1;let l=e.src.charCodeAt(o++);if(l!==124&&l!==45&&l!==58&&!F(l)||s===45&&F(l))return!1;for(;o<e.eMarks[r];){
let v=e.src.charCodeAt(o);if(v!==124&&v!==45&&v!==58&&!F(v))return!1;o++}let u=qt(e,t+1),c=u.split("|"),h=[];for(let v=0;v<c.length;v++){let w=c[v].trim();if(!w){
if(v===0||v===c.length-1)continue;return!1}if(!/^:?-+:?$/.test(w))return!1;w.charCodeAt(w.length-1)===58?h.push(w.charCodeAt(0)===58?"center":"right"):w.charCodeAt(
0)===58?h.push("left"):h.push("")}if(u=qt(e,t).trim(),u.indexOf("|")===-1||e.sCount[t]-e.blkIndent>=4)return!1;c=ni(u),c.length&&c[0]===""&&c.shift(),c.length&&
c[c.length-1]===""&&c.pop();let f=c.length;if(f===0||f!==h.length)return!1;if(i)return!0;let g=e.parentType;e.parentType="table";let m=e.md.block.ruler.getRules(
"blockquote"),d=e.push("table_open","table",1),x=[t,0];d.map=x;let A=e.push("thead_open","thead",1);A.map=[t,t+1];let y=e.push("tr_open","tr",1);y.map=[t,t+1];for(let v=0;v<
c.length;v++){let w=e.push("th_open","th",1);h[v]&&(w.attrs=[["style",`text-align:${h[v]}`]]);let k=e.push("inline","",0);k.content=c[v].trim(),k.children=[],e.
push("th_close","th",-1)}e.push("tr_close","tr",-1),e.push("thead_close","thead",-1);let D,E=0;for(r=t+2;r<n&&!(e.sCount[r]<e.blkIndent);r++){let v=!1;for(let k=0,
S=m.length;k<S;k++)if(m[k](e,r,n,!0)){v=!0;break}if(v||(u=qt(e,r).trim(),!u)||e.sCount[r]-e.blkIndent>=4||(c=ni(u),c.length&&c[0]===""&&c.shift(),c.length&&c[c.
length-1]===""&&c.pop(),E+=f-c.length,E>Hs))break;if(r===t+2){let k=e.push("tbody_open","tbody",1);k.map=D=[t+2,0]}let w=e.push("tr_open","tr",1);w.map=[r,r+1];
for(let k=0;k<f;k++){let S=e.push("td_open","td",1);h[k]&&(S.attrs=[["style",`text-align:${h[k]}`]]);let P=e.push("inline","",0);P.content=c[k]?c[k].trim():"",P.
children=[],e.push("td_close","td",-1)}e.push("tr_close","tr",-1)}return D&&(e.push("tbody_close","tbody",-1),D[1]=r),e.push("table_close","table",-1),x[1]=r,e.
parentType=g,e.line=r,!0}function Us(e,t,n){if(e.sCount[t]-e.blkIndent<4)return!1;let i=t+1,r=i;for(;i<n;){if(e.isEmpty(i)){i++;continue}if(e.sCount[i]-e.blkIndent>=
4){i++,r=i;continue}break}e.line=r;let o=e.push("code_block","code",0);return o.content=e.getLines(t,r,4+e.blkIndent,!1)+`
`,o.map=[t,e.line],!0}function js(e,t,n,i){let r=e.bMarks[t]+e.tShift[t],o=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=4||r+3>o)return!1;let s=e.src.charCodeAt(r);if(s!==
126&&s!==96)return!1;let l=r;r=e.skipChars(r,s);let u=r-l;if(u<3)return!1;let c=e.src.slice(l,r),h=e.src.slice(r,o);if(s===96&&h.indexOf(String.fromCharCode(s))>=
0)return!1;if(i)return!0;let f=t,g=!1;for(;f++,!(f>=n||(r=l=e.bMarks[f]+e.tShift[f],o=e.eMarks[f],r<o&&e.sCount[f]<e.blkIndent));)if(e.src.charCodeAt(r)===s&&!(e.
sCount[f]-e.blkIndent>=4)&&(r=e.skipChars(r,s),!(r-l<u)&&(r=e.skipSpaces(r),!(r<o)))){g=!0;break}u=e.sCount[t],e.line=f+(g?1:0);let m=e.push("fence","code",0);return m.
info=h,m.content=e.getLines(t+1,f,u,!0),m.markup=c,m.map=[t,e.line],!0}function zs(e,t,n,i){let r=e.bMarks[t]+e.tShift[t],o=e.eMarks[t],s=e.lineMax;if(e.sCount[t]-
e.blkIndent>=4||e.src.charCodeAt(r)!==62)return!1;if(i)return!0;let l=[],u=[],c=[],h=[],f=e.md.block.ruler.getRules("blockquote"),g=e.parentType;e.parentType="b\
lockquote";let m=!1,d;for(d=t;d<n;d++){let E=e.sCount[d]<e.blkIndent;if(r=e.bMarks[d]+e.tShift[d],o=e.eMarks[d],r>=o)break;if(e.src.charCodeAt(r++)===62&&!E){let w=e.
sCount[d]+1,k,S;e.src.charCodeAt(r)===32?(r++,w++,S=!1,k=!0):e.src.charCodeAt(r)===9?(k=!0,(e.bsCount[d]+w)%4===3?(r++,w++,S=!1):S=!0):k=!1;let P=w;for(l.push(e.
bMarks[d]),e.bMarks[d]=r;r<o;){let ce=e.src.charCodeAt(r);if(F(ce))ce===9?P+=4-(P+e.bsCount[d]+(S?1:0))%4:P++;else break;r++}m=r>=o,u.push(e.bsCount[d]),e.bsCount[d]=
e.sCount[d]+1+(k?1:0),c.push(e.sCount[d]),e.sCount[d]=P-w,h.push(e.tShift[d]),e.tShift[d]=r-e.bMarks[d];continue}if(m)break;let v=!1;for(let w=0,k=f.length;w<k;w++)
if(f[w](e,d,n,!0)){v=!0;break}if(v){e.lineMax=d,e.blkIndent!==0&&(l.push(e.bMarks[d]),u.push(e.bsCount[d]),h.push(e.tShift[d]),c.push(e.sCount[d]),e.sCount[d]-=
e.blkIndent);break}l.push(e.bMarks[d]),u.push(e.bsCount[d]),h.push(e.tShift[d]),c.push(e.sCount[d]),e.sCount[d]=-1}let x=e.blkIndent;e.blkIndent=0;let A=e.push(
"blockquote_open","blockquote",1);A.markup=">";let y=[t,0];A.map=y,e.md.block.tokenize(e,t,d);let D=e.push("blockquote_close","blockquote",-1);D.markup=">",e.lineMax=
s,e.parentType=g,y[1]=e.line;for(let E=0;E<h.length;E++)e.bMarks[E+t]=l[E],e.tShift[E+t]=h[E],e.sCount[E+t]=c[E],e.bsCount[E+t]=u[E];return e.blkIndent=x,!0}function Vs(e,t,n,i){
let r=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=4)return!1;let o=e.bMarks[t]+e.tShift[t],s=e.src.charCodeAt(o++);if(s!==42&&s!==45&&s!==95)return!1;let l=1;for(;o<
r;){let c=e.src.charCodeAt(o++);if(c!==s&&!F(c))return!1;c===s&&l++}if(l<3)return!1;if(i)return!0;e.line=t+1;let u=e.push("hr","hr",0);return u.map=[t,e.line],u.
markup=Array(l+1).join(String.fromCharCode(s)),!0}function ii(e,t){let n=e.eMarks[t],i=e.bMarks[t]+e.tShift[t],r=e.src.charCodeAt(i++);return r!==42&&r!==45&&r!==
43||i<n&&!F(e.src.charCodeAt(i))?-1:i}function ri(e,t){let n=e.bMarks[t]+e.tShift[t],i=e.eMarks[t],r=n;if(r+1>=i)return-1;let o=e.src.charCodeAt(r++);if(o<48||o>
57)return-1;for(;;){if(r>=i)return-1;if(o=e.src.charCodeAt(r++),o>=48&&o<=57){if(r-n>=10)return-1;continue}if(o===41||o===46)break;return-1}return r<i&&(o=e.src.
charCodeAt(r),!F(o))?-1:r}function Ws(e,t){let n=e.level+2;for(let i=t+2,r=e.tokens.length-2;i<r;i++)e.tokens[i].level===n&&e.tokens[i].type==="paragraph_open"&&
(e.tokens[i+2].hidden=!0,e.tokens[i].hidden=!0,i+=2)}function Ks(e,t,n,i){let r,o,s,l,u=t,c=!0;if(e.sCount[u]-e.blkIndent>=4||e.listIndent>=0&&e.sCount[u]-e.listIndent>=
4&&e.sCount[u]<e.blkIndent)return!1;let h=!1;i&&e.parentType==="paragraph"&&e.sCount[u]>=e.blkIndent&&(h=!0);let f,g,m;if((m=ri(e,u))>=0){if(f=!0,s=e.bMarks[u]+
e.tShift[u],g=Number(e.src.slice(s,m-1)),h&&g!==1)return!1}else if((m=ii(e,u))>=0)f=!1;else return!1;if(h&&e.skipSpaces(m)>=e.eMarks[u])return!1;if(i)return!0;let d=e.
src.charCodeAt(m-1),x=e.tokens.length;f?(l=e.push("ordered_list_open","ol",1),g!==1&&(l.attrs=[["start",g]])):l=e.push("bullet_list_open","ul",1);let A=[u,0];l.
map=A,l.markup=String.fromCharCode(d);let y=!1,D=e.md.block.ruler.getRules("list"),E=e.parentType;for(e.parentType="list";u<n;){o=m,r=e.eMarks[u];let v=e.sCount[u]+
m-(e.bMarks[u]+e.tShift[u]),w=v;for(;o<r;){let ne=e.src.charCodeAt(o);if(ne===9)w+=4-(w+e.bsCount[u])%4;else if(ne===32)w++;else break;o++}let k=o,S;k>=r?S=1:S=
w-v,S>4&&(S=1);let P=v+S;l=e.push("list_item_open","li",1),l.markup=String.fromCharCode(d);let ce=[u,0];l.map=ce,f&&(l.info=e.src.slice(s,m-1));let Lr=e.tight,Rr=e.
tShift[u],$r=e.sCount[u],Pr=e.listIndent;if(e.listIndent=e.blkIndent,e.blkIndent=P,e.tight=!0,e.tShift[u]=k-e.bMarks[u],e.sCount[u]=w,k>=r&&e.isEmpty(u+1)?e.line=
Math.min(e.line+2,n):e.md.block.tokenize(e,u,n),(!e.tight||y)&&(c=!1),y=e.line-u>1&&e.isEmpty(e.line-1),e.blkIndent=e.listIndent,e.listIndent=Pr,e.tShift[u]=Rr,
e.sCount[u]=$r,e.tight=Lr,l=e.push("list_item_close","li",-1),l.markup=String.fromCharCode(d),u=e.line,ce[1]=u,u>=n||e.sCount[u]<e.blkIndent||e.sCount[u]-e.blkIndent>=
4)break;let yn=!1;for(let ne=0,Ir=D.length;ne<Ir;ne++)if(D[ne](e,u,n,!0)){yn=!0;break}if(yn)break;if(f){if(m=ri(e,u),m<0)break;s=e.bMarks[u]+e.tShift[u]}else if(m=
ii(e,u),m<0)break;if(d!==e.src.charCodeAt(m-1))break}return f?l=e.push("ordered_list_close","ol",-1):l=e.push("bullet_list_close","ul",-1),l.markup=String.fromCharCode(
d),A[1]=u,e.line=u,e.parentType=E,c&&Ws(e,x),!0}var Ut=999;function Gs(e){let t=e.length;for(let n=0;n<e.length-1;n++){let i=e.charCodeAt(n);if(i<55296||i>56319)
continue;let r=e.charCodeAt(n+1);r>=56320&&r<=57343&&(t--,n++)}return t}function we(e,t){return Math.min(e.eMarks[t]+1,e.src.length)}function et(e,t){let n=e.lineMax;
if(t>=n||e.isEmpty(t))return-1;let i=!1;if(e.sCount[t]-e.blkIndent>3&&(i=!0),e.sCount[t]<0&&(i=!0),!i){let r=e.md.block.ruler.getRules("reference"),o=e.parentType;
e.parentType="reference";let s=!1;for(let l=0,u=r.length;l<u;l++)if(r[l](e,t,n,!0)){s=!0;break}if(e.parentType=o,s)return-1}return e.bMarks[t]+e.tShift[t]}function Xs(e,t,n,i){
let r=e.src,o=e.bMarks[t]+e.tShift[t],s=t+1;if(e.sCount[t]-e.blkIndent>=4||r.charCodeAt(o)!==91)return!1;let l=we(e,t),u="",c=-1,h=++o;for(;o<l;){if(u.length+o-
h>Ut*2)return!1;let k=r.charCodeAt(o);if(k===91)return!1;if(k===93){c=o;break}if(k===92&&(k=r.charCodeAt(++o)),k===10&&o<l){let S=et(e,s);if(S<0)return!1;u+=r.slice(
h,l),o=h=S,l=we(e,s++);continue}o++}if(c<0||r.charCodeAt(c+1)!==58||(u+=r.slice(h,c),u.length>Ut&&Gs(u)>Ut))return!1;for(o=c+2;o<l;){let k=r.charCodeAt(o);if(k===
10){let S=et(e,s);if(S<0)break;o=S,l=we(e,s++)}else if(F(k))o++;else break}let f=e.md.helpers.parseLinkDestination(r,o,l);if(!f.ok)return!1;let g=e.md.normalizeLink(
f.str);if(!e.md.validateLink(g))return!1;o=f.pos;let m=o,d=l,x=s;for(;o<l;){let k=r.charCodeAt(o);if(k===10){let S=et(e,s);if(S<0)break;o=S,l=we(e,s++)}else if(F(
k))o++;else break}let A=o,y=e.md.helpers.parseLinkTitle(r,o,l);for(;y.can_continue;){let k=et(e,s);if(k<0)break;o=k,l=we(e,s++),y=e.md.helpers.parseLinkTitle(r,
o,l,y)}let D;for(A!==m&&y.ok?(D=y.str,o=y.pos):(D="",o=m,l=d,s=x);o<l&&F(r.charCodeAt(o));)o++;if(o<l&&r.charCodeAt(o)!==10&&D)for(D="",o=m,l=d,s=x;o<l&&F(r.charCodeAt(
o));)o++;if(o<l&&r.charCodeAt(o)!==10)return!1;let E=nt(u);if(!E)return!1;if(i)return!0;typeof e.env.references>"u"&&(e.env.references={}),typeof e.env.references[E]>
"u"&&(e.env.references[E]={title:D,href:g});let v=e.push("reference_definition","",0);v.map=[t,s],v.hidden=!0;let w=Object.create(null);return w.label=E,v.meta=
w,e.line=s,!0}var Ys=["address","article","aside","base","basefont","blockquote","body","caption","center","col","colgroup","dd","details","dialog","dir","div",
"dl","dt","fieldset","figcaption","figure","footer","form","frame","frameset","h1","h2","h3","h4","h5","h6","head","header","hr","html","iframe","legend","li","\
link","main","menu","menuitem","nav","noframes","ol","optgroup","option","p","param","search","section","summary","table","tbody","td","tfoot","th","thead","tit\
le","tr","track","ul"],ki=`<[A-Za-z][A-Za-z0-9\\-]*(?:\\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\\s*=\\s*(?:[^"'=<>\`\\x00-\\x20]+|'[^']*'|"[^"]*"))?)*\\s*\\/?>`,yi="<\\/\
[A-Za-z][A-Za-z0-9\\-]*\\s*>";new RegExp(`^(?:${ki}|${yi}|<!---?>|<!--(?:[^-]|-[^-]|--[^>])*-->|<[?][\\s\\S]*?[?]>|<![A-Za-z][^>]*>|<!\\[CDATA\\[[\\s\\S]*?\\]\\]>)`);
var vi=new RegExp(`^(?:${ki}|${yi})`),Q=[[/^<(script|pre|style|textarea)(?=(\s|>|$))/i,/<\/(script|pre|style|textarea)>/i,!0],[/^<!--/,/-->/,!0],[/^<\?/,/\?>/,!0],
[/^<![A-Za-z]/,/>/,!0],[/^<!\[CDATA\[/,/\]\]>/,!0],[new RegExp(`^</?(${Ys.join("|")})(?=(\\s|/?>|$))`,"i"),/^$/,!0],[new RegExp(`${vi.source}\\s*$`),/^$/,!1]];function Zs(e,t,n,i){
let r=e.bMarks[t]+e.tShift[t],o=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=4||!e.md.options.html||e.src.charCodeAt(r)!==60)return!1;let s=e.src.slice(r,o),l=0;for(;l<
Q.length&&!Q[l][0].test(s);l++);if(l===Q.length)return!1;if(i)return Q[l][2];let u=t+1,c=Q[l][1].test("");if(!Q[l][1].test(s)){for(;u<n&&!(e.sCount[u]<e.blkIndent&&
(c||!e.isEmpty(u)));u++)if(r=e.bMarks[u]+e.tShift[u],o=e.eMarks[u],s=e.src.slice(r,o),Q[l][1].test(s)){s.length!==0&&u++;break}}e.line=u;let h=e.push("html_bloc\
k","",0);return h.map=[t,u],h.content=e.getLines(t,u,e.blkIndent,!0),!0}function Js(e,t,n,i){let r=e.bMarks[t]+e.tShift[t],o=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=
4)return!1;let s=e.src.charCodeAt(r);if(s!==35||r>=o)return!1;let l=1;for(s=e.src.charCodeAt(++r);s===35&&r<o&&l<=6;)l++,s=e.src.charCodeAt(++r);if(l>6||r<o&&!F(
s))return!1;if(i)return!0;o=e.skipSpacesBack(o,r);let u=e.skipCharsBack(o,35,r);u>r&&F(e.src.charCodeAt(u-1))&&(o=u),e.line=t+1;let c=e.push("heading_open",`h${l}`,
1);c.markup="########".slice(0,l),c.map=[t,e.line];let h=e.push("inline","",0);h.content=it(e.src.slice(r,o)),h.map=[t,e.line],h.children=[];let f=e.push("headi\
ng_close",`h${l}`,-1);return f.markup="########".slice(0,l),!0}function Qs(e,t,n){let i=e.md.block.ruler.getRules("paragraph");if(e.sCount[t]-e.blkIndent>=4)return!1;
let r=e.parentType;e.parentType="paragraph";let o=0,s,l=t+1;for(;l<n&&!e.isEmpty(l);l++){if(e.sCount[l]-e.blkIndent>3)continue;if(e.sCount[l]>=e.blkIndent){let m=e.
bMarks[l]+e.tShift[l],d=e.eMarks[l];if(m<d&&(s=e.src.charCodeAt(m),(s===45||s===61)&&(m=e.skipChars(m,s),m=e.skipSpaces(m),m>=d))){o=s===61?1:2;break}}if(e.sCount[l]<
0)continue;let g=!1;for(let m=0,d=i.length;m<d;m++)if(i[m](e,l,n,!0)){g=!0;break}if(g)break}if(!o)return e.parentType=r,!1;let u=it(e.getLines(t,l,e.blkIndent,!1));
e.line=l+1;let c=e.push("heading_open",`h${o}`,1);c.markup=String.fromCharCode(s),c.map=[t,e.line];let h=e.push("inline","",0);h.content=u,h.map=[t,e.line-1],h.
children=[];let f=e.push("heading_close",`h${o}`,-1);return f.markup=String.fromCharCode(s),e.parentType=r,!0}function el(e,t,n){let i=e.md.block.ruler.getRules(
"paragraph"),r=e.parentType,o=t+1;for(e.parentType="paragraph";o<n&&!e.isEmpty(o);o++){if(e.sCount[o]-e.blkIndent>3||e.sCount[o]<0)continue;let c=!1;for(let h=0,
f=i.length;h<f;h++)if(i[h](e,o,n,!0)){c=!0;break}if(c)break}let s=it(e.getLines(t,o,e.blkIndent,!1));e.line=o;let l=e.push("paragraph_open","p",1);l.map=[t,e.line];
let u=e.push("inline","",0);return u.content=s,u.map=[t,e.line],u.children=[],e.push("paragraph_close","p",-1),e.parentType=r,!0}var tt=[["table",qs,["paragraph",
"reference"]],["code",Us],["fence",js,["paragraph","reference","blockquote","list"]],["blockquote",zs,["paragraph","reference","blockquote","list"]],["hr",Vs,["\
paragraph","reference","blockquote","list"]],["list",Ks,["paragraph","reference","blockquote"]],["reference",Xs],["html_block",Zs,["paragraph","reference","bloc\
kquote"]],["heading",Js,["paragraph","reference","blockquote"]],["lheading",Qs],["paragraph",el]],wi=class{constructor(){b(this,"ruler",new Se),b(this,"State",bi);
for(let e=0;e<tt.length;e++)this.ruler.push(tt[e][0],tt[e][1],{alt:(tt[e][2]||[]).slice()})}tokenize(e,t,n){let i=this.ruler.getRules(""),r=i.length,o=e.md.options.
maxNesting,s=t,l=!1;for(;s<n&&(e.line=s=e.skipEmptyLines(s),!(s>=n||e.sCount[s]<e.blkIndent));){if(e.level>=o){e.line=n;break}let u=e.line,c=!1;for(let h=0;h<r;h++)
if(c=i[h](e,s,n,!1),c){if(u>=e.line)throw new Error("block rule didn't increment state.line");break}if(!c)throw new Error("none of the block rules matched");e.tight=
!l,e.isEmpty(e.line-1)&&(l=!0),s=e.line,s<n&&e.isEmpty(s)&&(l=!0,s++,e.line=s)}}parse(e,t,n,i){if(!e)return;let r=new this.State(e,t,n,i);this.tokenize(r,r.line,
r.lineMax)}},Ei=class{constructor(e,t,n,i){b(this,"pos",0),b(this,"level",0),b(this,"pending",""),b(this,"pendingLevel",0),b(this,"cache",{}),b(this,"backticks",
{}),b(this,"backticksScanned",!1),b(this,"skipHtmlSpecial",!1),b(this,"linkLevel",0),b(this,"delimiters",[]),b(this,"_prev_delimiters",[]),b(this,"Token",ee),this.
src=e,this.env=n,this.md=t,this.tokens=i,this.tokens_meta=Array(i.length),this.posMax=this.src.length}pushPending(){let e=new ee("text","",0);return e.content=this.
pending,e.level=this.pendingLevel,this.tokens.push(e),this.pending="",e}push(e,t,n){this.pending&&this.pushPending();let i=new ee(e,t,n),r;return n<0&&(this.level--,
this.delimiters=this._prev_delimiters.pop()),i.level=this.level,n>0&&(this.level++,this._prev_delimiters.push(this.delimiters),this.delimiters=[],r={delimiters:this.
delimiters}),this.pendingLevel=this.level,this.tokens.push(i),this.tokens_meta.push(r),i}scanDelims(e,t){let n=this.posMax,i=this.src.charCodeAt(e),r;if(e===0)r=
32;else if(e===1)r=this.src.charCodeAt(0),(r&63488)===55296&&(r=65533);else if(r=this.src.charCodeAt(e-1),(r&64512)===56320){let d=this.src.charCodeAt(e-2);r=(d&
64512)===55296?65536+(d-55296<<10)+(r-56320):65533}else(r&64512)===55296&&(r=65533);let o=e;for(;o<n&&this.src.charCodeAt(o)===i;)o++;let s=o-e,l=o<n?this.src.charCodeAt(
o):32;if((l&64512)===55296){let d=this.src.charCodeAt(o+1);l=(d&64512)===56320?65536+(l-55296<<10)+(d-56320):65533}else(l&64512)===56320&&(l=65533);let u=Ae(r)||
xe(r),c=Ae(l)||xe(l),h=Ce(r),f=Ce(l),g=!f&&(!c||h||u),m=!h&&(!u||f||c);return{can_open:g&&(t||!m||u),can_close:m&&(t||!g||c),length:s}}};function tl(e){switch(e){case 10:case 33:case 35:case 36:case 37:case 38:case 42:case 43:case 45:case 58:case 60:case 61:case 62:case 64:case 91:case 92:case 93:case 94:case 95:case 96:case 123:case 125:case 126:
return!0;default:return!1}}function nl(e,t){let n=e.pos;for(;n<e.posMax&&!tl(e.src.charCodeAt(n));)n++;return n===e.pos?!1:(t||(e.pending+=e.src.slice(e.pos,n)),
e.pos=n,!0)}function il(e){return e>=65&&e<=90||e>=97&&e<=122}function rl(e){return e>=65&&e<=90||e>=97&&e<=122||e>=48&&e<=57||e===43||e===45||e===46}function ol(e,t){
if(!e.md.options.linkify||e.linkLevel>0)return!1;let n=e.pos,i=e.posMax;if(n+3>i||e.src.charCodeAt(n)!==58||e.src.charCodeAt(n+1)!==47||e.src.charCodeAt(n+2)!==
47)return!1;let r=n-Math.min(10,e.pending.length,n),o=n;for(;o>r&&rl(e.src.charCodeAt(o-1));)o--;if(o===n||!il(e.src.charCodeAt(o)))return!1;let s=n-o,l=e.md.linkify.
matchAtStart(e.src.slice(o));if(!l)return!1;let u=l.url;if(u.length<=s)return!1;let c=u.length;for(;c>0&&u.charCodeAt(c-1)===42;)c--;c!==u.length&&(u=u.slice(0,
c));let h=e.md.normalizeLink(u);if(!e.md.validateLink(h))return!1;if(!t){e.pending=e.pending.slice(0,-s);let f=e.push("link_open","a",1);f.attrs=[["href",h]],f.
markup="linkify",f.info="auto";let g=e.push("text","",0);g.content=e.md.normalizeLinkText(u);let m=e.push("link_close","a",-1);m.markup="linkify",m.info="auto"}
return e.pos+=u.length-s,!0}function sl(e,t){let n=e.pos;if(e.src.charCodeAt(n)!==10)return!1;let i=e.pending.length-1,r=e.posMax;if(!t)if(i>=0&&e.pending.charCodeAt(
i)===32)if(i>=1&&e.pending.charCodeAt(i-1)===32){let o=i-1;for(;o>=1&&e.pending.charCodeAt(o-1)===32;)o--;e.pending=e.pending.slice(0,o),e.push("hardbreak","br",
0)}else e.pending=e.pending.slice(0,-1),e.push("softbreak","br",0);else e.push("softbreak","br",0);for(n++;n<r&&F(e.src.charCodeAt(n));)n++;return e.pos=n,!0}var Wt=[];
for(let e=0;e<256;e++)Wt.push(0);"\\!\"#$%&'()*+,./:;<=>?@[]^_`{|}~-".split("").forEach(function(e){Wt[e.charCodeAt(0)]=1});function ll(e,t){let n=e.pos,i=e.posMax;
if(e.src.charCodeAt(n)!==92||(n++,n>=i))return!1;let r=e.src.charCodeAt(n);if(r===10){for(t||e.push("hardbreak","br",0),n++;n<i&&(r=e.src.charCodeAt(n),!!F(r));)
n++;return e.pos=n,!0}if(r===32){if(!t){let l=e.push("text_special","",0);l.content="\\",l.markup="\\",l.info="escape"}return e.pos=n,!0}let o=e.src[n];if(r>=55296&&
r<=56319&&n+1<i){let l=e.src.charCodeAt(n+1);l>=56320&&l<=57343&&(o+=e.src[n+1],n++)}let s="\\"+o;if(!t){let l=e.push("text_special","",0);r<256&&Wt[r]!==0?l.content=
o:l.content=s,l.markup=s,l.info="escape"}return e.pos=n+1,!0}function ul(e){let t={},n=0;for(;(n=e.indexOf("`",n))!==-1;){let i=n;for(;e.charCodeAt(++n)===96;);
t[n-i]=i}return t}function al(e,t){var n;let i=e.pos;if(e.src.charCodeAt(i)!==96)return!1;let r=e.posMax,o=i+1;for(;o<r&&e.src.charCodeAt(o)===96;)o++;let s=e.src.
slice(i,o),l=s.length;if(e.backticksScanned||(e.backticks=ul(e.src),e.backticksScanned=!0),((n=e.backticks[l])!==null&&n!==void 0?n:-1)>=o){let u=o,c;for(;(c=e.
src.indexOf("`",u))!==-1&&c<r;){for(u=c+1;e.src.charCodeAt(u)===96;)u++;if(u>r)break;if(u-c===l){if(!t){let h=e.push("code_inline","code",0);h.markup=s;let f=e.
src.slice(o,c).replace(/\n/g," ");f.startsWith(" ")&&f.endsWith(" ")&&/[^ ]/.test(f)&&(f=f.slice(1,-1)),h.content=f}return e.pos=u,!0}}}return t||(e.pending+=s),
e.pos=o,!0}function cl(e,t){let n=e.pos,i=e.src.charCodeAt(n);if(t||i!==126)return!1;let r=e.scanDelims(e.pos,!0),o=r.length,s=String.fromCharCode(i);if(o<2)return!1;
let l;o%2&&(l=e.push("text","",0),l.content=s,o--);for(let u=0;u<o;u+=2)l=e.push("text","",0),l.content=s+s,e.delimiters.push({marker:i,length:0,token:e.tokens.
length-1,end:-1,open:r.can_open,close:r.can_close});return e.pos+=r.length,!0}function oi(e,t){let n,i=[],r=t.length;for(let o=0;o<r;o++){let s=t[o];if(s.marker!==
126||s.end===-1)continue;let l=t[s.end];n=e.tokens[s.token],n.type="s_open",n.tag="s",n.nesting=1,n.markup="~~",n.content="",n=e.tokens[l.token],n.type="s_close",
n.tag="s",n.nesting=-1,n.markup="~~",n.content="",e.tokens[l.token-1].type==="text"&&e.tokens[l.token-1].content==="~"&&i.push(l.token-1)}for(;i.length;){let o=i.
pop(),s=o+1;for(;s<e.tokens.length&&e.tokens[s].type==="s_close";)s++;s--,o!==s&&(n=e.tokens[s],e.tokens[s]=e.tokens[o],e.tokens[o]=n)}}function dl(e){let t=e.tokens_meta,
n=e.tokens_meta.length;oi(e,e.delimiters);for(let r=0;r<n;r++){var i;let o=(i=t[r])===null||i===void 0?void 0:i.delimiters;o&&oi(e,o)}}var Ci={tokenize:cl,postProcess:dl};
function hl(e,t){let n=e.pos,i=e.src.charCodeAt(n);if(t||i!==95&&i!==42)return!1;let r=e.scanDelims(e.pos,i===42);for(let o=0;o<r.length;o++){let s=e.push("text",
"",0);s.content=String.fromCharCode(i),e.delimiters.push({marker:i,length:r.length,token:e.tokens.length-1,end:-1,open:r.can_open,close:r.can_close})}return e.pos+=
r.length,!0}function si(e,t){let n=t.length;for(let i=n-1;i>=0;i--){let r=t[i];if(r.marker!==95&&r.marker!==42||r.end===-1)continue;let o=t[r.end],s=i>0&&t[i-1].
end===r.end+1&&t[i-1].marker===r.marker&&t[i-1].token===r.token-1&&t[r.end+1].token===o.token+1,l=String.fromCharCode(r.marker),u=e.tokens[r.token];u.type=s?"st\
rong_open":"em_open",u.tag=s?"strong":"em",u.nesting=1,u.markup=s?l+l:l,u.content="";let c=e.tokens[o.token];c.type=s?"strong_close":"em_close",c.tag=s?"strong":
"em",c.nesting=-1,c.markup=s?l+l:l,c.content="",s&&(e.tokens[t[i-1].token].content="",e.tokens[t[r.end+1].token].content="",i--)}}function fl(e){let t=e.tokens_meta,
n=e.tokens_meta.length;si(e,e.delimiters);for(let r=0;r<n;r++){var i;let o=(i=t[r])===null||i===void 0?void 0:i.delimiters;o&&si(e,o)}}var xi={tokenize:hl,postProcess:fl};
function pl(e,t){let n,i,r,o,s="",l="",u=e.pos,c=!0;if(e.src.charCodeAt(e.pos)!==91)return!1;let h=e.pos,f=e.posMax,g=e.pos+1,m=e.md.helpers.parseLinkLabel(e,e.
pos,!0);if(m<0)return!1;let d=m+1;if(d<f&&e.src.charCodeAt(d)===40){for(c=!1,d++;d<f&&(n=e.src.charCodeAt(d),!(!F(n)&&n!==10));d++);if(d>=f)return!1;if(u=d,r=e.
md.helpers.parseLinkDestination(e.src,d,e.posMax),r.ok){for(s=e.md.normalizeLink(r.str),e.md.validateLink(s)?d=r.pos:s="",u=d;d<f&&(n=e.src.charCodeAt(d),!(!F(n)&&
n!==10));d++);if(r=e.md.helpers.parseLinkTitle(e.src,d,e.posMax),d<f&&u!==d&&r.ok)for(l=r.str,d=r.pos;d<f&&(n=e.src.charCodeAt(d),!(!F(n)&&n!==10));d++);}(d>=f||
e.src.charCodeAt(d)!==41)&&(c=!0),d++}if(c){if(typeof e.env.references>"u")return!1;if(d<f&&e.src.charCodeAt(d)===91?(u=d+1,d=e.md.helpers.parseLinkLabel(e,d),d>=
0?i=e.src.slice(u,d++):d=m+1):d=m+1,i||(i=e.src.slice(g,m)),i=nt(i),o=e.env.references[i],!o)return e.pos=h,!1;s=o.href,l=o.title}if(!t){e.pos=g,e.posMax=m;let x=e.
push("link_open","a",1),A=[["href",s]];if(x.attrs=A,l&&A.push(["title",l]),i){let y=Object.create(null);y.label=i,x.meta=y}e.linkLevel++,e.md.inline.tokenize(e),
e.linkLevel--,e.push("link_close","a",-1)}return e.pos=d,e.posMax=f,!0}function ml(e,t){let n,i,r,o,s,l,u,c,h="",f=e.pos,g=e.posMax;if(e.src.charCodeAt(e.pos)!==
33||e.src.charCodeAt(e.pos+1)!==91)return!1;let m=e.pos+2,d=e.md.helpers.parseLinkLabel(e,e.pos+1,!1);if(d<0)return!1;if(o=d+1,o<g&&e.src.charCodeAt(o)===40){for(o++;o<
g&&(n=e.src.charCodeAt(o),!(!F(n)&&n!==10));o++);if(o>=g)return!1;for(c=o,l=e.md.helpers.parseLinkDestination(e.src,o,e.posMax),l.ok&&(h=e.md.normalizeLink(l.str),
e.md.validateLink(h)?o=l.pos:h=""),c=o;o<g&&(n=e.src.charCodeAt(o),!(!F(n)&&n!==10));o++);if(l=e.md.helpers.parseLinkTitle(e.src,o,e.posMax),o<g&&c!==o&&l.ok)for(u=
l.str,o=l.pos;o<g&&(n=e.src.charCodeAt(o),!(!F(n)&&n!==10));o++);else u="";if(o>=g||e.src.charCodeAt(o)!==41)return e.pos=f,!1;o++}else{if(typeof e.env.references>
"u")return!1;if(o<g&&e.src.charCodeAt(o)===91?(c=o+1,o=e.md.helpers.parseLinkLabel(e,o),o>=0?r=e.src.slice(c,o++):o=d+1):o=d+1,r||(r=e.src.slice(m,d)),r=nt(r),s=
e.env.references[r],!s)return e.pos=f,!1;h=s.href,u=s.title}if(!t){i=e.src.slice(m,d);let x=[];e.md.inline.parse(i,e.md,e.env,x);let A=e.push("image","img",0),y=[
["src",h],["alt",""]];if(A.attrs=y,A.children=x,A.content=i,u&&y.push(["title",u]),r){let D=Object.create(null);D.label=r,A.meta=D}}return e.pos=o,e.posMax=g,!0}
var gl=/^([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)$/,bl=/^([a-zA-Z][a-zA-Z0-9+.-]{1,31}):([^<>\x00-\x20]*)$/;
function kl(e,t){let n=e.pos;if(e.src.charCodeAt(n)!==60)return!1;let i=e.pos,r=e.posMax;for(;;){if(++n>=r)return!1;let s=e.src.charCodeAt(n);if(s===60)return!1;
if(s===62)break}let o=e.src.slice(i+1,n);if(bl.test(o)){let s=e.md.normalizeLink(o);if(!e.md.validateLink(s))return!1;if(!t){let l=e.push("link_open","a",1);l.attrs=
[["href",s]],l.markup="autolink",l.info="auto";let u=e.push("text","",0);u.content=e.md.normalizeLinkText(o);let c=e.push("link_close","a",-1);c.markup="autolin\
k",c.info="auto"}return e.pos+=o.length+2,!0}if(gl.test(o)){let s=e.md.normalizeLink(`mailto:${o}`);if(!e.md.validateLink(s))return!1;if(!t){let l=e.push("link_\
open","a",1);l.attrs=[["href",s]],l.markup="autolink",l.info="auto";let u=e.push("text","",0);u.content=e.md.normalizeLinkText(o);let c=e.push("link_close","a",
-1);c.markup="autolink",c.info="auto"}return e.pos+=o.length+2,!0}return!1}function yl(e){return/^<a[>\s]/i.test(e)}function vl(e){return/^<\/a\s*>/i.test(e)}function Ai(e){
let t=e|32;return t>=97&&t<=122}function wl(e,t){let n=e.src,i,r;if(n.startsWith("<!--",t)){if(n.startsWith(">",t+4))return t+5;if(n.startsWith("->",t+4))return t+
6;i=t+4,r="-->"}else if(n.startsWith("<![CDATA[",t))i=t+9,r="]]>";else if(n.charCodeAt(t+1)===63)i=t+2,r="?>";else if(Ai(n.charCodeAt(t+2)))i=t+3,r=">";else return-1;
if(e.skipHtmlSpecial)return-1;let o=n.indexOf(r,i);return o<0?(e.skipHtmlSpecial=!0,-1):o+r.length}function El(e,t){if(!e.md.options.html)return!1;let n=e.posMax,
i=e.pos;if(e.src.charCodeAt(i)!==60||i+2>=n)return!1;let r,o=e.src.charCodeAt(i+1);if(o===33||o===63)r=wl(e,i);else if(o===47||Ai(o)){let s=e.src.slice(i).match(
vi);r=s?i+s[0].length:-1}else return!1;if(r<0)return!1;if(!t){let s=e.push("html_inline","",0);s.content=e.src.slice(i,r),yl(s.content)&&e.linkLevel++,vl(s.content)&&
e.linkLevel--}return e.pos=r,!0}var Cl=/^&#((?:x[a-f0-9]{1,6}|[0-9]{1,7}));/i,xl=/^&([a-z][a-z0-9]{1,31});/i;function Al(e,t){let n=e.pos,i=e.posMax;if(e.src.charCodeAt(
n)!==38||n+1>=i)return!1;if(e.src.charCodeAt(n+1)===35){let r=e.src.slice(n).match(Cl);if(r){if(!t){let o=r[1][0].toLowerCase()==="x"?parseInt(r[1].slice(1),16):
parseInt(r[1],10),s=e.push("text_special","",0);s.content=Vt(o)?Ee(o):Ee(65533),s.markup=r[0],s.info="entity"}return e.pos+=r[0].length,!0}}else{let r=e.src.slice(
n).match(xl);if(r){let o=ve(r[0]);if(o!==r[0]){if(!t){let s=e.push("text_special","",0);s.content=o,s.markup=r[0],s.info="entity"}return e.pos+=r[0].length,!0}}}
return!1}function li(e){let t={},n=e.length;if(!n)return;let i=0,r=-2,o=[];for(let s=0;s<n;s++){let l=e[s];if(o.push(0),(e[i].marker!==l.marker||r!==l.token-1)&&
(i=s),r=l.token,l.length=l.length||0,!l.close)continue;t.hasOwnProperty(l.marker)||(t[l.marker]=[-1,-1,-1,-1,-1,-1]);let u=t[l.marker][(l.open?3:0)+l.length%3],
c=i-o[i]-1,h=c;for(;c>u;c-=o[c]+1){let f=e[c];if(f.marker===l.marker&&f.open&&f.end<0){let g=!1;if((f.close||l.open)&&(f.length+l.length)%3===0&&(f.length%3!==0||
l.length%3!==0)&&(g=!0),!g){let m=c>0&&!e[c-1].open?o[c-1]+1:0;o[s]=s-c+m,o[c]=m,l.open=!1,f.end=s,f.close=!1,h=-1,r=-2;break}}}h!==-1&&(t[l.marker][(l.open?3:0)+
(l.length||0)%3]=h)}}function Dl(e){let t=e.tokens_meta,n=e.tokens_meta.length;li(e.delimiters);for(let r=0;r<n;r++){var i;let o=(i=t[r])===null||i===void 0?void 0:
i.delimiters;o&&li(o)}}function Sl(e){let t,n,i=0,r=e.tokens,o=e.tokens.length;for(t=n=0;t<o;t++)r[t].nesting<0&&i--,r[t].level=i,r[t].nesting>0&&i++,r[t].type===
"text"&&t+1<o&&r[t+1].type==="text"?r[t+1].content=r[t].content+r[t+1].content:(t!==n&&(r[n]=r[t]),n++);t!==n&&(r.length=n)}var jt=[["text",nl],["linkify",ol],[
"newline",sl],["escape",ll],["backticks",al],["strikethrough",Ci.tokenize],["emphasis",xi.tokenize],["link",pl],["image",ml],["autolink",kl],["html_inline",El],
["entity",Al]],zt=[["balance_pairs",Dl],["strikethrough",Ci.postProcess],["emphasis",xi.postProcess],["fragments_join",Sl]],Di=class{constructor(){b(this,"ruler",
new Se),b(this,"ruler2",new Se),b(this,"State",Ei);for(let e=0;e<jt.length;e++)this.ruler.push(jt[e][0],jt[e][1]);for(let e=0;e<zt.length;e++)this.ruler2.push(zt[e][0],
zt[e][1])}skipToken(e){let t=e.pos,n=this.ruler.getRules(""),i=n.length,r=e.md.options.maxNesting,o=e.cache;if(typeof o[t]<"u"){e.pos=o[t];return}let s=!1;if(e.
level<r){for(let l=0;l<i;l++)if(e.level++,s=n[l](e,!0),e.level--,s){if(t>=e.pos)throw new Error("inline rule didn't increment state.pos");break}}else e.pos=e.posMax;
s||e.pos++,o[t]=e.pos}tokenize(e){let t=this.ruler.getRules(""),n=t.length,i=e.posMax,r=e.md.options.maxNesting;for(;e.pos<i;){let o=e.pos,s=!1;if(e.level<r){for(let l=0;l<
n;l++)if(s=t[l](e,!1),s){if(o>=e.pos)throw new Error("inline rule didn't increment state.pos");break}}if(s){if(e.pos>=i)break;continue}e.pending+=e.src[e.pos++]}
e.pending&&e.pushPending()}parse(e,t,n,i){let r=new this.State(e,t,n,i);this.tokenize(r);let o=this.ruler2.getRules(""),s=o.length;for(let l=0;l<s;l++)o[l](r)}},
Fl={default:{options:{html:!1,xhtmlOut:!1,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\u201C\u201D\u2018\u2019",highlight:null,maxNesting:100},
components:{core:{},block:{},inline:{}}},zero:{options:{html:!1,xhtmlOut:!1,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\u201C\u201D\u2018\u2019",
highlight:null,maxNesting:20},components:{core:{rules:["normalize","block","strip_references","inline","text_join"]},block:{rules:["paragraph"]},inline:{rules:[
"text"],rules2:["balance_pairs","fragments_join"]}}},commonmark:{options:{html:!0,xhtmlOut:!0,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\
\u201C\u201D\u2018\u2019",highlight:null,maxNesting:20},components:{core:{rules:["normalize","block","strip_references","inline","text_join"]},block:{rules:["bl\
ockquote","code","fence","heading","hr","html_block","lheading","list","reference","paragraph"]},inline:{rules:["autolink","backticks","emphasis","entity","esca\
pe","html_inline","image","link","newline","text"],rules2:["balance_pairs","emphasis","fragments_join"]}}}},Tl=/^(vbscript|javascript|file|data):/,_l=/^data:image\/(gif|png|jpeg|webp);/,
ui=["http:","https:","mailto:"],q=class{validateLink(e){let t=e.trim().toLowerCase();return Tl.test(t)?_l.test(t):!0}normalizeLink(e){let t=ye(e,!0);if(t.hostname&&
(!t.protocol||ui.indexOf(t.protocol)>=0))try{t.hostname=Bt.toASCII(t.hostname)}catch{}return t.auth&&(t.auth=G(t.auth)),t.hostname&&(t.hostname=G(t.hostname)),t.
pathname&&(t.pathname=G(t.pathname)),t.search&&(t.search=G(t.search)),t.hash&&(t.hash=G(t.hash)),re(t)}normalizeLinkText(e){let t=ye(e,!0);if(t.hostname&&(!t.protocol||
ui.indexOf(t.protocol)>=0))try{t.hostname=Bt.toUnicode(t.hostname)}catch{}return ke(re(t),ke.defaultChars+"%")}constructor(...e){b(this,"inline",new Di),b(this,
"block",new wi),b(this,"core",new gi),b(this,"renderer",new fi),b(this,"linkify",new Je),b(this,"utils",Jo),b(this,"helpers",Object.assign({},ps));let[t,n]=e;typeof t==
"string"?(this.configure(t),n&&this.set(n)):(this.configure("default"),this.set(t||{}))}set(e){return Object.assign(this.options,e),this}configure(e){let t;if(typeof e==
"string"){let r=e;if(t=Fl[r],!t)throw new Error(`Wrong 'markdown-it' preset "${r}", check name`)}else t=e;if(!t)throw new Error("Wrong `markdown-it` preset, can\
't be empty");t.options&&(this.options={...t.options});let n=t.components;if(n){var i;["core","block","inline"].forEach(o=>{var s;let l=(s=n[o])===null||s===void 0?
void 0:s.rules;l&&this[o].ruler.enableOnly(l)});let r=(i=n.inline)===null||i===void 0?void 0:i.rules2;r&&this.inline.ruler2.enableOnly(r)}return this}enable(e,t=!1){
let n=[];Array.isArray(e)||(e=[e]),["core","block","inline"].forEach(r=>{n=n.concat(this[r].ruler.enable(e,!0))}),n=n.concat(this.inline.ruler2.enable(e,!0));let i=e.
filter(r=>n.indexOf(r)<0);if(i.length&&!t)throw new Error(`MarkdownIt. Failed to enable unknown rule(s): ${i}`);return this}disable(e,t=!1){let n=[];Array.isArray(
e)||(e=[e]),["core","block","inline"].forEach(r=>{n=n.concat(this[r].ruler.disable(e,!0))}),n=n.concat(this.inline.ruler2.disable(e,!0));let i=e.filter(r=>n.indexOf(
r)<0);if(i.length&&!t)throw new Error(`MarkdownIt. Failed to disable unknown rule(s): ${i}`);return this}use(e,...t){return e.apply(e,[this,...t]),this}parse(e,t){
if(typeof e!="string")throw new Error("Input data should be a String");let n=new this.core.State(e,this,t);return this.core.process(n),n.tokens}render(e,t={}){return this.
renderer.render(this.parse(e,t),this.options,t)}parseInline(e,t){let n=new this.core.State(e,this,t);return n.inlineMode=!0,this.core.process(n),n.tokens}renderInline(e,t={}){
return this.renderer.render(this.parseInline(e,t),this.options,t)}};b(q,"Token",ee);b(q,"Ruler",Se);b(q,"Renderer",fi);b(q,"ParserCore",gi);b(q,"StateCore",pi);
b(q,"ParserBlock",wi);b(q,"StateBlock",bi);b(q,"ParserInline",Di);b(q,"StateInline",Ei);var Si=ci(q);var Ml="smolcell-typeset",Ll=/\\(?:href|url|html\w*|style|class|cssId|data|bbox|includegraphics|require|unicode|mmlToken|csname|let|[egx]?def|newcommand|renewcommand|providecommand|newenvironment|renewenvironment|Declare\w*|catcode|char)(?![a-z])|\^\^/i,
Rl=2e4;function Fi(e,t){if(!_i(e))return t;let n=()=>{let i=a("div","formula",p(e));t.replaceWith(i),Mi(i)||i.replaceWith(t)};return de(t,()=>V(t,n)),t}function Ti(e){
let t=a("span","formula-in-text",p(e));return _i(e)&&de(t,()=>V(t,()=>Mi(t))),t}function _i(e){return e.length<=Rl&&!Ll.test(e)}function Mi(e){return!e.dispatchEvent(
new CustomEvent(Ml,{bubbles:!0,cancelable:!0,composed:!0}))}var $l="blockquote code emphasis escape fence heading hr image link list newline strikethrough table backticks".split(" "),Kt=20,Li=1e5,rt=new Si("zero",{maxNesting:2*
Kt}).enable($l);rt.normalizeLink=e=>e;rt.validateLink=()=>!0;var Ri=/\$\$[^$]{1,10000}\$\$|\$(?=[^\s$])[^$\n`]{0,1000}(?<=[^\s$\\])\$(?!\d)/y;rt.inline.ruler.before(
"escape","formula",(e,t)=>{if(e.env.formulas!==!0)return!1;Ri.lastIndex=e.pos;let n=Ri.exec(e.src)?.[0];return n===void 0?!1:(t||(e.push("formula","",0).content=
n),e.pos+=n.length,!0)});var Pl={paragraph:["p","paragraph"],heading:["h5","heading"],blockquote:["blockquote","quoted"],bullet_list:["ul","list"],ordered_list:[
"ol","list"],list_item:["li",""],table:["table","table"],thead:["thead",""],tbody:["tbody",""],tr:["tr",""],th:["th",""],td:["td",""],strong:["strong",""],em:["\
em",""],s:["s",""],link:["span","address"]},U=class{constructor(t,n=!1){this.el=t;this.formulas=n;t.hidden=!0,this.stick=new Z(t)}el;formulas;shown="";done=0;blocks=0;stick;set(t){
if(t===this.shown)return;let n=t.replace(/\r\n?/g,`
`);n.startsWith(this.shown.slice(0,this.done))||([this.done,this.blocks]=[0,0]);let{nodes:i,last:r}=Il(n.slice(this.done),this.formulas);Ii(this.el,this.blocks,
i),this.blocks+=Math.max(0,i.length-1),this.done+=r,this.shown=n,this.el.hidden=n==="",this.stick.update()}};function Il(e,t){let n=e.length>Li?[]:rt.parse(e,{formulas:t});
if(e.length>Li||n.some(({level:o})=>o>Kt))return{nodes:[Ol(e)],last:0};let i=n.findLast(({level:o,nesting:s})=>o===0&&s>=0)?.map?.[0]??0,r=document.createDocumentFragment();
return $i(n,r),{nodes:[...r.childNodes],last:e.split(`
`,i).reduce((o,{length:s})=>o+s+1,0)}}function Ol(e){return a("p","paragraph as-it-is",p(e))}function $i(e,t){let n=[t],i=[];for(let r of e){let o=n.at(-1);/^(em|strong)_/.
test(r.type)&&r.markup.startsWith("_")?o.appendChild(document.createTextNode(r.markup)):r.nesting<0?(r.type==="link_close"&&o.appendChild(Pi(i.pop()??"")),r.hidden||
n.pop()):r.type==="inline"?$i(r.children??[],o):r.nesting===0?o.appendChild(Bl(r)):r.hidden||(r.type==="link_open"&&i.push(String(r.attrGet("href")??"")),n.push(
n.length>Kt?o:o.appendChild(Nl(r))))}}function Nl(e){let[t,n]=Pl[e.type.replace(/_open$/,"")]??["span",""],i=a(t,e.attrGet("style")==="text-align:right"?"numeri\
c":n),r=e.type==="ordered_list_open"?e.attrGet("start"):null;return r!==null&&i.setAttribute("start",String(r)),i}function Bl(e){switch(e.type){case"formula":return Ti(
e.content);case"code_inline":return a("code","",p(e.content));case"fence":case"code_block":return a("pre","sample",a("code","",p(e.content.replace(/\n$/,""))));case"\
hr":return a("hr","rule");case"softbreak":case"hardbreak":return a("br","");case"image":return a("span","address",`Image: ${p(e.content)}`,Pi(String(e.attrGet("\
src")??"")));default:return document.createTextNode(p(e.content))}}function Pi(e){return document.createTextNode(e===""?"":` (${p(e)})`)}function Ii(e,t,n){let i=t===
0?e.firstChild:e.childNodes[t]??null;for(let r of n){let o=i?.nextSibling??null;i===null?e.appendChild(r):Hl(i,r)||e.replaceChild(r,i),i=o}for(;i!==null;){let r=i.
nextSibling;e.removeChild(i),i=r}}function Hl(e,t){return e instanceof Text&&t instanceof Text?(t.data.startsWith(e.data)?t.length>e.length&&e.appendData(t.data.
slice(e.length)):e.data=t.data,!0):e.cloneNode(!1).isEqualNode(t.cloneNode(!1))?(Ii(e,0,[...t.childNodes]),!0):!1}var ql=5e3,Ul=64,jl=4e3,Xt={colour:null,back:null,bold:!1,dim:!1,italic:!1,underline:!1,inverse:!1},zl=/\x1b\[([0-9;:]*)m/g,Vl=/\x1b(\[[0-9;:]*)?$/,te=class{constructor(t){
this.el=t;t.hidden=!0,this.stick=new Z(t)}el;shown="";done=0;look=Xt;tail=[];looks=0;stick;set(t){if(t===this.shown)return;t.startsWith(this.shown.slice(0,this.
done))||this.clear();for(let l of this.tail)l.parentNode?.removeChild(l);let n=t.lastIndexOf(`
`)+1,r=(n>this.done?t.slice(this.done,n-1).split(`
`):[]).flatMap(l=>[...this.line(l),{text:`
`,classes:""}]);this.append(this.nodes(r)),[this.shown,this.done]=[t,Math.max(n,this.done)];let[o,s]=[this.look,this.looks];this.tail=this.nodes(this.line(t.slice(
this.done).replace(Vl,""))),[this.look,this.looks]=[o,s],this.el.append(...this.tail),this.el.hidden=t==="",this.stick.update()}append(t){let[n,i]=[this.el.lastChild,
t[0]];n instanceof Text&&i instanceof Text&&n.length<jl&&(n.appendData(i.data),t.shift()),this.el.append(...t)}clear(){this.el.replaceChildren(),[this.done,this.
look,this.tail,this.looks]=[0,Xt,[],0]}line(t){let n=[];for(let i of t.split("\r")){let r=this.pieces(i);r.length>0&&(n=r)}return n}pieces(t){let n=[],i=0,r=o=>{
o>i&&n.push({text:p(t.slice(i,o)),classes:Wl(this.look)})};for(let o of t.matchAll(zl))r(o.index),i=o.index+o[0].length,this.look=Gl(this.look,o[1]??"");return r(
t.length),n}nodes(t){let n=[],i="";for(let{text:r,classes:o}of t){if(o===""||r===`
`||this.looks>=ql){i+=r;continue}i!==""&&n.push(document.createTextNode(i)),i="",this.looks+=1,n.push(a("span",o,r))}return i!==""&&n.push(document.createTextNode(
i)),n}};function Wl({colour:e,back:t,bold:n,dim:i,italic:r,underline:o,inverse:s}){let[l,u]=s?[t,e??"text"]:[e,t];return[u!==null?`on-${u}`:l!==null?`ansi-${l}`:
"",n&&"ansi-bold",i&&u===null&&"ansi-dim",r&&"ansi-italic",o&&"ansi-underline"].filter(Boolean).join(" ")}var Kl={0:Xt,1:{bold:!0},2:{dim:!0},3:{italic:!0},4:{underline:!0},
7:{inverse:!0},21:{underline:!0},22:{bold:!1,dim:!1},23:{italic:!1},24:{underline:!1},27:{inverse:!1},39:{colour:null},49:{back:null}};function Gl(e,t){let n=t.
split(/[;:]/,Ul).map(Number),i=e;for(let r=0;r<n.length;r++){let o=n[r];if(o===38||o===48){let[s,l]=Yl(n.slice(r+1));i={...i,[o===38?"colour":"back"]:s},r+=l}else
i={...i,...Kl[o],...Xl(o)}}return i}function Xl(e){let[t,n]=[Math.floor(e/10),e%10];return n>7?{}:t===3||t===9?{colour:n}:t===4||t===10?{back:n}:{}}function Yl(e){
let[t=0,n=0,i=0,r=0]=e;if(t===2)return[Gt(n,i,r),4];if(t!==5)return[null,e.length];if(n<16)return[n%8,2];if(n>=232)return[Gt(n,n,n),2];let o=s=>Math.floor((n-16)/
s)%6;return[Gt(o(36)*51,o(6)*51,o(1)*51),2]}function Gt(e,t,n){let i=[e,t,n],[r,o]=[Math.min(...i),Math.max(...i)];return o-r<48?o<96?0:7:i.reduce((s,l,u)=>s+(l>
(r+o)/2?1<<u:0),0)}var Zl="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",Jl="html{background:#fff;color:#1f2328;font:13px/1.5 \
system-ui,sans-serif;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{padding:2px 8px;text-align:right}img{max-width:100%}",Bi=1e6,Ql=2e4,eu=100,tu=new Set(
"A ABBR ARTICLE B BLOCKQUOTE BR CAPTION CODE COL COLGROUP DD DEL DETAILS DIV DL DT EM FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR I IMG INS KBD LI MAIN\
 MARK OL P PRE Q S SAMP SECTION SMALL SPAN STRONG STYLE SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TIME TR U UL VAR".split(" ")),nu=new Set("SCRIPT TEMPLATE \
NOSCRIPT IFRAME OBJECT EMBED APPLET FRAME FRAMESET PORTAL TITLE TEXTAREA SELECT SVG MATH".split(" ")),iu=new Set("align alt class colspan dir height id lang ope\
n rowspan scope span start style title valign width".split(" ")),ru=/^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;function Hi(e,t,n){let i=e!==
void 0?lu(e):t!==void 0?au(t):"";if(i==="")return null;let r=e!==void 0?"HTML":"SVG",o=M(`As ${r}, without scripts and network`),s=()=>{o.open&&o.querySelector(
"iframe")===null&&o.append(ou(i,r))};return o.addEventListener("toggle",s),o.open=n,s(),o}function ou(e,t){let n=a("iframe","frame");return n.setAttribute("sand\
box",""),n.setAttribute("referrerpolicy","no-referrer"),n.setAttribute("allow",""),n.title=`${t} that the code made`,n.style.height=`${su(e)}em`,n.srcdoc=`<!doc\
type html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${Zl}"><style>${Jl}</style><body>${e}`,n}function su(e){let t=e.replace(/<style[^]*?<\/style>/g,
""),n=t.match(/<pre[^]*?<\/pre>/g)?.join("")??"",i=Oi(t,/<(?:tr|p|h\d|li|br|pre|div|dt|dd)\b/g)+Oi(n,/\n/g);return Math.min(30,4+1.8*i+(e.includes("<img")?20:0))}
function Oi(e,t){return e.match(t)?.length??0}function lu(e){if(e.length>Bi)return"";let t=new DOMParser().parseFromString(e,"text/html"),n=document.implementation.
createHTMLDocument(""),i={nodes:Ql};for(let r of[t.head,t.body])qi(n.body,r,i,0);return n.body.textContent?.trim()===""&&n.body.querySelector("img, hr")===null?
"":n.body.innerHTML}function qi(e,t,n,i){if(!(i>eu))for(let r of t.childNodes){if(n.nodes--<=0)return;if(r.nodeType===Node.TEXT_NODE&&e.append(r.nodeValue??""),
!(r instanceof Element))continue;let o=r.tagName.toUpperCase();if(nu.has(o))continue;let s=tu.has(o)?uu(e.ownerDocument,r,o):e;s!==null&&(s!==e&&e.append(s),qi(
s,r,n,i+1))}}function uu(e,t,n){let i=e.createElement(n);for(let{name:o,value:s}of t.attributes)iu.has(o)&&!(o==="style"&&/position|url\s*\(|\\/i.test(s))&&i.setAttribute(
o,s);if(n!=="IMG")return i;let r=ru.exec(t.getAttribute("src")??"");return r===null||W(r[1],r[2])!==""?null:(i.setAttribute("src",r[0]),i)}function au(e){if(e.length>
Bi||/<!ENTITY|<!DOCTYPE[^>]*\[|<(?:\w+:)?(?:fe)?image\b/i.test(e)||cu(e))return"";let t=new TextEncoder().encode(e),n=Array.from(t,i=>String.fromCharCode(i)).join(
"");return`<img alt="" src="data:image/svg+xml;base64,${btoa(n)}">`}function cu(e){let t=new DOMParser().parseFromString(e,"image/svg+xml");if(t.querySelector("\
parsererror")!==null)return!0;let n=[...t.querySelectorAll("*")];if(n.some(s=>s.localName==="style"&&(s.textContent??"").includes("url(")))return!0;let i=n.filter(
s=>s.localName==="use"),r=new Set(i.flatMap(s=>[...s.attributes].filter(({localName:l})=>l==="href").map(({value:l})=>l.replace(/^#/,""))));return i.some(s=>Ni(
s,({id:l})=>r.has(l)))?!0:n.filter(s=>[...s.attributes].some(({value:l})=>l.includes("url("))).some(s=>Ni(s,({localName:l})=>du.has(l)))}var du=new Set(["patter\
n","marker","mask","clipPath"]);function Ni(e,t){for(let n=e;n!==null;n=n.parentElement)if(t(n))return!0;return!1}var Fe="application/vnd.smolcell.table+json",hu=1e6,fu=200,Ui=100,pu=1e3;function Zt(e){let t=gu(e);if(t===null)return null;let[n,i]=t.gap,r=a("tr","",a("td",""),
...ot(t.columns.map((c,h)=>zi(c,"col",t.numeric[h])),i,()=>a("th","","\u2026"))),o=t.rows.map((c,h)=>mu(t,t.index[h]??"",c)),s=()=>a("tr","gap",a("th","","\u2026"),
...ot(t.columns.map(()=>a("td","","\u2026")),i,()=>a("td","","\u2026"))),l=a("table","table",a("thead","",r),a("tbody","",...ot(o,n,s))),u=a("div","table-box",l);
return u.tabIndex=0,u.setAttribute("role","group"),u.setAttribute("aria-label","Table"),a("div","table-part",u,a("p","quiet",`${L(t.shape[0],"row")} \xD7 ${L(t.
shape[1],"column")}`))}function mu(e,t,n){let i=n.map((r,o)=>a("td",e.numeric[o]===!0?"numeric":"",p(r)));return a("tr","",zi(t,"row",!1),...ot(i,e.gap[1],()=>a(
"td","","\u2026")))}function zi(e,t,n=!1){let i=a("th",n?"numeric":"",p(e));return i.scope=t,i}function ot(e,t,n){return t>0&&t<e.length?[...e.slice(0,t),n(),...e.
slice(t)]:e}function gu(e){if(e.length>hu)return null;let t;try{t=JSON.parse(e)}catch{return null}if(typeof t!="object"||t===null)return null;let{columns:n,index:i,
rows:r,numeric:o,shape:s,gap:l}=t;return!Yt(n,Ui)||!Yt(i,fu)||!Array.isArray(r)||r.length!==i.length||!r.every(u=>Yt(u,Ui)&&u.length===n.length)||!Array.isArray(
o)||o.length!==n.length||!o.every(u=>typeof u=="boolean")||!ji(s)||!ji(l)?null:{columns:n,index:i,rows:r,numeric:o,shape:s,gap:l}}function Yt(e,t){return Array.
isArray(e)&&e.length<=t&&e.every(n=>typeof n=="string"&&n.length<=pu)}function ji(e){return Array.isArray(e)&&e.length===2&&e.every(t=>Number.isSafeInteger(t)&&
t>=0)}function Wi(e,t){let n=Ki(e),i=n||Eu(e)?"":e.result,r=n?e.outputs.filter(o=>Gi(o)||!en(o,e.result)):e.outputs;return[...Cu(e).map(o=>a("p","note",o)),...(e.places.
length>0?bu(e):e.outputs).flatMap(o=>typeof o=="string"?[ku(o)]:r.includes(o)?tn(o,e.outputs.indexOf(o)):[]),i!==""&&Lu("Result",se("result",p(i))),e.error!==null&&
_u(e.error,t),e.changed.length>0&&yu(e.changed),e.files.length>0&&wu(e.files)]}function bu({stdout:e,places:t,outputs:n}){let i=e.match(/[^\n]*\n|[^\n]+/g)??[],
r=0,o=l=>{let u=i.slice(r,l).join("");return r=Math.max(r,l),u===""?[]:[u]};return[...n.flatMap((l,u)=>[...o(t[u]??i.length),l]),...o(i.length)]}function ku(e){
let t=new te(Qt());return t.set(e),t.el}function yu(e){return e.length<=vu?a("p","changed","Wrote ",...Vi(e)):M(`Wrote ${L(e.length,"name")}`,a("p","changed",...Vi(
e)))}var vu=20;function wu(e){let t=a("span","quiet"," \xB7 keep with: %agent files keep NAME");return a("p","files",`Files written: ${Pe(e)}`,t)}function Qt(){
return se("printed","")}function Eu(e){return e.outputs.some(t=>en(t,e.result))}function en(e,t){return e.data["text/plain"]===t}function Jt(e,t=he){return t.find(
n=>e.data[n]!==void 0&&W(n,e.data[n])==="")}function Ki(e){return e.is_final_answer&&e.error===null}function Gi(e){return Object.keys(e.data).some(ge)}function Xi(e){
let t=Ki(e)?e.outputs.find(o=>en(o,e.result)&&!Gi(o)):void 0;if(t===void 0)return[];let{[Fe]:n,[Yi]:i}=t.data;return Jt(t,[...he,...fe])!==void 0||i!==void 0||n!==
void 0&&Zt(n)!==null?Zi(t):[]}function Cu(e){let t=[];return e.dropped>0&&t.push(`${L(e.dropped,"character")} of output left out.`),e.rolled_back&&t.push("Its c\
hanges were undone: variables and files are as they were before it."),e.state_lost&&t.push("The sandbox was restarted: variables of earlier steps are gone."),t}
var Yi="text/latex";function tn(e,t=0){let n=Pn(e.data,t,()=>Ji(e));return n===null?Zi(e):[n]}function Zi(e){let[t,n]=[Jt(e),Jt(e,fe)],{[Fe]:i,"text/plain":r,"t\
ext/html":o,"text/markdown":s,[Yi]:l}=e.data;if(t!==void 0)return[Su(t,e.data[t],r??"")];if(n!==void 0)return[Fu(n,e.data[n],r??"")];let u=i===void 0?null:Zt(i);
if(u!==null)return[u];if(l!==void 0&&o===void 0)return[Fi(l,se("result",p(r??l)))];if(s!==void 0&&o===void 0)return[Tu(s)];let c=Ji(e);if(c.some(f=>f))return c;
let h=[...Object.keys(e.data).filter(f=>f!==Qi),...Object.keys(er(e))];return[a("p","note",`Not shown: ${p(h.join(", "))||"an empty output"}`)]}function Ji(e){let{
"text/plain":t,"text/html":n,"image/svg+xml":i}=e.data,r=t!==void 0&&!/^<.*>$/s.test(t.trim()),o=Hi(n,i,!r);return[...Au(e),t!==void 0&&(r||o===null)&&se("resul\
t",p(t)),o]}var Qi="application/vnd.smolcell.refused+json",xu=[...he,...fe,"image/svg+xml","text/html",Fe];function Au(e){return[...he.map(i=>[i,e.data[i]===void 0?
"":W(i,e.data[i])]),...Object.entries(er(e)).filter(([i])=>xu.includes(i)||ge(i)!==void 0)].filter(([,i])=>i!=="").map(([i,r])=>a("p","note",`${Du[i]??(ge(i)===
void 0?"An image":"A chart")} is not shown: ${p(String(r))}.`))}var Du={"video/mp4":"A video","video/webm":"A video","text/html":"HTML","image/svg+xml":"An SVG \
image",[Fe]:"A table"};function er(e){try{let t=JSON.parse(e.data[Qi]??"{}");return typeof t=="object"&&t!==null?{...t}:{}}catch{return{}}}function Su(e,t,n){return He(
e,t,p(n).slice(0,200)||"An image the code made")}function Fu(e,t,n){let i=a("video","image video");[i.controls,i.loop,i.muted,i.preload]=[!0,!0,!0,"metadata"],i.
setAttribute("aria-label",p(n).slice(0,200)||"A video the code made"),i.src=`data:${e};base64,${t.replace(/\s/g,"")}`;let r=a("div","",i),o=()=>r.replaceChildren(
a("p","note",`This browser cannot play the video (${e}).`),se("result",p(n)));return i.addEventListener("error",()=>V(r,o)),r}function Tu(e){let t=a("div","pros\
e");return new U(t).set(e),t}function _u(e,t){let n=e.line>0?t.split(`
`)[e.line-1]:void 0,i=new te(se("traceback",""));return i.set(e.traceback),a("div","fault",a("p","fault-title",a("strong","",p(e.type)||"Error"),e.message===""?
null:`: ${p(e.message)}`),a("p","fault-kind",Mu[e.kind]??""),n!==void 0&&a("div","fault-line",a("span","",`line ${e.line}`),a("code","",p(n).trim())),e.hint!==void 0&&
e.hint!==""&&a("p","fault-hint",p(e.hint)),e.traceback!==""&&i.el)}var Mu={forbidden:"The guard refused this: it is not allowed in the sandbox.",limit:"A limit \
ended this step.",sandbox:"The sandbox ended.",stopped:"The step was stopped."};function Lu(e,t){return t.setAttribute("aria-label",e),t}function se(e,t){let n=a(
"pre",e,t);return n.tabIndex=0,n.setAttribute("role","group"),n.setAttribute("aria-label",e==="printed"?"Printed output":"Output"),n}function Vi(e){return e.flatMap(
(t,n)=>[n>0?", ":null,a("code","",p(t))])}var Ru=160;function nr(e){let t=[e.model,e.sandbox,e.approve&&`approve: ${e.approve}`,e.session&&`session: ${e.session}`,e.resumes&&"resumed"],n=e.files.filter(
r=>r.read_only),i=e.files.filter(r=>!r.read_only);return[a("ul","facts-line",...t.filter(r=>r!=="").map(r=>a("li","chip",p(r)))),e.boundary!==null&&Pu(e.boundary),
e.boundary?.warning!==void 0&&a("p","note",`Warning: ${p(e.boundary.warning)}.`),e.locks.length>0&&Iu(e.locks),e.variables.length>0&&Nu(e.variables),i.length>0&&
a("p","quiet",`Files passed as copies: ${Pe(i)}`),n.length>0&&a("p","quiet",`Mounted read-only: ${p(n.map(({name:r})=>r).join(", "))}`),Un(e.sent),e.tools.length>
0&&a("p","quiet",`Tools it may call, outside the sandbox: ${p(e.tools.join(", "))}`),e.lost.length>0&&a("p","note",`Lost with the previous sandbox: ${p(e.lost.join(
", "))}`),e.images>0&&a("p","quiet",`With ${L(e.images,"image")}.`)]}function ir(e){let t=p(e.task),n=a("div","task clamped",t),i=C("Show the whole task","more",
()=>r(!n.classList.toggle("smolcell-clamped"))),r=o=>{i.textContent=o?"Show less of the task":"Show the whole task",i.setAttribute("aria-expanded",String(o))};return r(
!1),i.hidden=t.length<=Ru&&t.trimEnd().split(`
`).length<=2,typeof ResizeObserver<"u"&&new ResizeObserver(()=>$u(n,i)).observe(n),[n,i]}function $u(e,t){e.clientHeight===0||!e.classList.contains("smolcell-cl\
amped")||(t.hidden=e.scrollHeight<=e.clientHeight+1)}function Pu(e){let t=a("span",e.isolated?"badge safe":"badge open",e.isolated?"isolated":"walls missing"),n=Object.
entries(e.limits).map(([r,o])=>`${r} ${String(o)}`),i=M(a("span","","Code runs in ",p(e.where)," ",t,e.python?` Python: ${p(e.python)}; ${p(e.python_reason??"")}`:
null),e.walls.length>0&&a("ul","walls",...e.walls.map(Ou)),B("Limits",n),!e.python?.startsWith("full")&&B("Imports allowed",e.imports),B("Hosts open",e.hosts.length>
0?e.hosts:["none"]));return i.classList.add("smolcell-boundary"),i}function Iu(e){return M(`Policy: ${L(e.length,"rule")} you cannot change here`,a("ul","walls",
...e.map(t=>a("li","wall",p(t)))))}function Ou({name:e,stands:t,detail:n}){let i=a("span",t?"stands":"missing",t?"stands":"missing");return a("li","wall",i," ",
a("strong","",p(e)),n===""?null:`: ${p(n)}`)}function B(e,t){return t.length>0&&a("p","quiet",`${e}: ${p(t.join(", "))}`)}function Nu(e){let t=e.map(({name:i,type:r})=>`${i}\
 (${r})`).join(", "),n=e.map(({name:i,type:r,text:o})=>a("li","",a("code","",p(i)),` ${p(r)}`,a("pre","about",p(o))));return M(`Goes in as a copy: ${p(t)}`,a("u\
l","variables",...n))}var nn={success:"Done",max_steps_error:"Stopped at the step limit",refused:"Ended without approval",stopped:"Stopped",error:"Failed"};function rr(e){
let t=e.ended;if(t===null)return[];let n=e.steps.filter(o=>o.observation!==null&&o.sha256!==""),i=ju(e),r=I(L(t.steps,"step"),O(t.duration),ie(t.usage),j(t.usage));
return[a("div",`receipt ${t.state}`,a("strong","",nn[t.state]??t.state),a("span","figures",r)),t.error!==""&&a("p","fault-title",p(t.error)),i!==""&&a("p","quie\
t",`Tools called: ${p(i)}`),Bu(t.receipt,i===""),n.length>0&&M(`What ran: ${L(n.length,"step")}`,a("ul","hashes",...n.map(o=>a("li","",`Step ${o.n}${o.call===0?
"":`, call ${o.call}`}, allowed by ${p(o.by)}${o.who===""?"":` (${p(o.who)})`}, SHA-256 `,a("code","",p(o.sha256))))))]}function Bu(e,t){let{imports:n=[],packages:i=[],
hosts:r=[],files:o=[],grants:s=[],errors_by_type:l={},tools_called:u={},timings:c={},record:h={}}=e,f=Object.entries(c).map(([m,d])=>`${Uu[m]??m} ${O(d)}`),g=[B(
"Errors",tr(l)),B("Packages",i),B("Standard library",n.filter(m=>!i.includes(m))),B("Hosts",r),B("Files",o),B("Allowed by you",s),t&&B("Tools called",tr(u)),B("\
Time",f),Object.keys(h).length>0&&a("ul","hashes",...Object.entries(h).map(Hu))].filter(m=>m!==!1);return g.length>0&&M("Details",...g)}function Hu([e,t]){return a(
"li","",`${qu[e]??p(e)} `,a("code","",p(t)))}var qu={journal:"Journal",chain:"Hash chain of the journal (SHA-256)",code:"Approved code, SHA-256",answer:"Answer,\
 SHA-256",outputs:"Outputs, SHA-256"},Uu={model:"model",waiting:"waiting for you",code:"code"};function tr(e){return Object.entries(e).map(([t,n])=>n===1?t:`${t}\
 ${n}\xD7`)}function ju(e){let t=new Map;for(let{name:i,times:r,duration:o,error:s}of e.steps.flatMap(l=>l.tools)){let l=t.get(i)??{times:0,duration:0,failed:!1};
t.set(i,{times:l.times+r,duration:l.duration+o,failed:l.failed||s!==""})}let n=([i,{times:r,duration:o,failed:s}])=>`${i} ${r}\xD7, ${O(o)}${s?", with errors":""}`;
return[...t].map(n).join("; ")}function st(e){if(e.answer===null)return[];let{text:t,is_text:n,uncomputed:i}=e.answer,r=e.steps.at(-1)?.observation??null,o=r===
null?[]:Xi(r);return[a("h4","answer-title",i===!0?"Answer (not computed by any step)":"Answer"),...o.length>0?o:[n&&Ku(t)?zu(t):Wu(p(t))]]}function zu(e){let t=a(
"div","prose answer-prose");new U(t,!0).set(e);for(let n of t.querySelectorAll(".smolcell-sample")){let i=a("div","copied");n.replaceWith(i),i.append(...[n,Vu(n)].
filter(r=>r!==null))}return t}function Vu(e){let t=C("Copy","copy",()=>{navigator.clipboard.writeText(e.textContent??"").then(()=>n("Copied"),()=>n("Not copied"))});
t.setAttribute("aria-live","polite");let n=i=>{t.textContent=i,setTimeout(()=>t.textContent="Copy",2e3)};return typeof navigator.clipboard>"u"?null:t}function Wu(e){
return or(e)?Xu(e):a("div","answer-text",e)}function Ku(e){return!or(e)||e.split(`
`).some(t=>Gu.test(t))}var Gu=/^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;function Xu(e){let t=a("pre","answer-table",e);return t.tabIndex=0,t.setAttribute("r\
ole","group"),t.setAttribute("aria-label","Answer"),t}var Yu=/^\s*([-*+\u2022]|\d+[.)])\s/,Zu=/(^|[^\s.!?:]) {2,}\S/;function or(e){let t=e.split(`
`).filter(n=>sr(n)!=="");return t.length>1&&3*t.filter(Ju).length>=t.length}function Ju(e){let t=sr(e);return t.length>1&&t.startsWith("|")&&t.endsWith("|")||!Yu.
test(e)&&Zu.test(e)}function sr(e){let[t,n]=[0,e.length];for(;t<n&&e[t]===" ";)t++;for(;n>t&&e[n-1]===" ";)n--;return e.slice(t,n)}var Qu=new Set("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal \
not or pass raise return try while with yield match case".split(" ")),ea=new Set("abs all any bool bytes dict enumerate filter float format frozenset getattr ha\
sattr int isinstance iter len list map max min next object open print range repr reversed round set setattr sorted str sum super tuple type zip eval exec compil\
e final_answer".split(" ")),ta=new RegExp([/(?<comment>#[^\r\n]*)/,/(?<string>[rRbBuUfFtT]{0,2}(?:"""(?:\\[\s\S]|[^\\])*?(?:"""|$)|'''(?:\\[\s\S]|[^\\])*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\r\n])*"?|'(?:\\[\s\S]|[^'\\\r\n])*'?))/,
/(?<number>(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?[jJ]?))/,/(?<decorator>@[\p{L}_][\p{L}\p{N}_.]*)/u,/(?<word>[\p{L}_][\p{L}\p{N}_]*)/u,/(?<plain>[\s\S])/].
map(e=>e.source).join("|"),"gu"),na=1e5;function ia(e){if(e.length>na)return[{kind:"plain",text:e}];let t=[],n="";for(let i of e.matchAll(ta)){let r=n===".";n=i[0];
for(let o of ra(i))la(t,r&&o.kind==="builtin"?{...o,kind:"name"}:o)}return t}function ra(e){let t=e[0],n=e.groups??{};if(n.string!==void 0)return/^[^"']*[fFtT]/.
test(t)?sa(t):[{kind:"string",text:t}];if(n.word!==void 0)return[{kind:oa(t),text:t}];for(let i of["comment","number","decorator"])if(n[i]!==void 0)return[{kind:i,
text:t}];return[{kind:"plain",text:t}]}function oa(e){return Qu.has(e)?"keyword":ea.has(e)?"builtin":"name"}function sa(e){return e.split(/(\{\{|\}\}|\{[^{}]*\})/).
filter(t=>t!=="").map(t=>({kind:/^\{[^{]/.test(t)?"expression":"string",text:t}))}function la(e,t){let n=e.at(-1);n!==void 0&&n.kind===t.kind?n.text+=t.text:e.push(
t)}var ua=/\n|(?<=\r)(?!\n)/;function rn(e){let t=[[]],n="";for(let{kind:i,text:r}of ia(e))n.endsWith("\r")&&!r.startsWith(`
`)&&t.push([]),n=r,r.split(ua).forEach((o,s)=>{s>0&&t.push([]),o!==""&&t.at(-1)?.push({kind:i,text:o})});return t}var lt={none:0,low:1,high:2};function ut(e,t,n=[],i=0){let r=t==="code"?rn(e):e.split(`
`).map(s=>[{kind:"plain",text:s}]),o=a("div","code");return o.dataset.kind=t,o.setAttribute("role","group"),o.setAttribute("aria-label",`${r.length} ${r.length===
1?"line":"lines"} of ${t}`),o.style.setProperty("--smolcell-digits",String(String(r.length).length)),r.forEach((s,l)=>o.append(aa(s,l+1,ha(n,l+1),l+1===i))),o}function aa(e,t,n,i){
let r=(n==="none"?"":` ${n}`)+(i?" error-line":""),o=a("span","number");o.dataset.n=String(t);let s=a("code","source");for(let l of e)s.append(...ar(l));return a(
"div",`line${r}`,o,s)}function ur(e){return a("code","source",...(rn(e)[0]??[]).flatMap(ar))}function ar(e){return Ct(e.text).flatMap(t=>t.hidden?[cr(t.text)]:e.
kind==="plain"||e.kind==="name"?lr(t.text):[a("span",e.kind==="number"?"number-literal":e.kind,...ca.has(e.kind)?[t.text]:lr(t.text))])}var ca=new Set(["string",
"comment"]);function lr(e){return e.split(/([^\x00-\x7f]+)/).flatMap((t,n)=>t===""?[]:[n%2===0?document.createTextNode(t):da(t)])}function da(e){let t=a("span",
"foreign-char",e);return t.title=`letters beyond ASCII: ${[...e].map(Re).join(" ")}`,t}function cr(e){let t=a("span","hidden-char",e);return t.title=e===xt?"a t\
ab":"an invisible character",t}function ha(e,t){return e.filter(n=>n.line===t).reduce((n,{risk:i})=>lt[i]>lt[n]?i:n,"none")}function sn(e){if(e.length===0)return null;
let t=[...e].sort((o,s)=>lt[s.risk]-lt[o.risk]||o.line-s.line),n=t.filter(o=>o.risk!=="none"),i=t.filter(o=>o.risk==="none"),r=a("ul","findings",...n.map(fa),i.
length>0&&a("li","facts",...ga(i)));return r.setAttribute("aria-label","Findings in the code"),r}function fa(e){let t=a("span","mark",e.risk==="high"?"Warning":
"Note");return a("li",`finding ${e.risk}`,t," ",...dr(e.kind,[e.text]),ba(e))}var pa={import:"imports ",file:"may read or write a file: ",network:"reaches into \
the network: ",process:"may start a process or run other code: ",install:"asks to install: ",dunder:"reaches into Python itself: ",tool:"calls "},ma=/^((?:reads|writes|reads or writes|deletes) a file: |starts a process: )(.*)$/s;
function dr(e,t){let n=ma.exec(t.length===1?t[0]??"":"");if(n!==null)return[n[1]??"",on(n[2]??"")];let i=e==="name"?t.flatMap(o=>o.split(", ")):t,r=e==="name"?`\
changes the ${i.length===1?"variable":"variables"} `:pa[e];return r===void 0?hr(t.join(", ")):[r,...i.flatMap((o,s)=>s>0?[", ",on(o)]:[on(o)])]}function ga(e){return[
...new Set(e.map(n=>n.kind))].map(n=>{let i=[...new Set(e.filter(r=>r.kind===n).map(r=>r.text))];return a("span","fact",...dr(n,i))})}function on(e){return a("c\
ode","",...hr(e))}function hr(e){return Ct(e).map(t=>t.hidden?cr(t.text):t.text)}function ba(e){return e.line>0?` (line ${e.line})`:""}var ka=1e6,fr=2;function le(e,t){let[n,i]=[e.split(`
`),t.split(`
`)],r=0;for(;r<Math.min(n.length,i.length)&&n[r]===i[r];)r++;let o=0;for(;o<Math.min(n.length,i.length)-r&&n[n.length-1-o]===i[i.length-1-o];)o++;let s=u=>u.map(
c=>({sign:" ",text:c})),l=ya(n.slice(r,n.length-o),i.slice(r,i.length-o));return[...s(n.slice(0,r)),...l,...s(n.slice(n.length-o))]}function ya(e,t){let n=t.length+
1;if(e.length*t.length>ka)return[...e.map(s=>({sign:"-",text:s})),...t.map(s=>({sign:"+",text:s}))];let i=new Uint16Array((e.length+1)*n),r=(s,l)=>i[s*n+l];for(let s=e.
length-1;s>=0;s--)for(let l=t.length-1;l>=0;l--)i[s*n+l]=e[s]===t[l]?r(s+1,l+1)+1:Math.max(r(s+1,l),r(s,l+1));let o=[];for(let s=0,l=0;s<e.length||l<t.length;)s<
e.length&&l<t.length&&e[s]===t[l]?(o.push({sign:" ",text:e[s++]}),l++):l>=t.length||s<e.length&&r(s+1,l)>=r(s,l+1)?o.push({sign:"-",text:e[s++]}):o.push({sign:"\
+",text:t[l++]});return o}function ue(e,t="What you changed"){let n=e.map((r,o)=>e.slice(Math.max(0,o-fr),o+fr+1).some(({sign:s})=>s!==" ")),i=a("div","code dif\
f");return i.setAttribute("role","group"),i.setAttribute("aria-label",t),e.forEach((r,o)=>{n[o]===!0?i.append(Ea(r)):n[o-1]!==!1&&i.append(a("div","line left-ou\
t",a("span","sign","\u2026")))}),i}var va={" ":"","-":"removed: ","+":"added: "},wa={" ":"line","-":"line taken-out","+":"line put-in"};function Ea({sign:e,text:t}){
let n=a("span","sign",e==="-"?"\u2212":e);return n.setAttribute("aria-hidden","true"),a("div",wa[e],n,a("span","spoken",va[e]),ur(t))}var Ca="smolcell-mends-cell",xa=2e5,at=class{constructor(t){this.request=t;this.status.setAttribute("role","status"),this.el.setAttribute("role","group"),this.el.
setAttribute("aria-label","The failing cell"),this.el.hidden=!0}request;el=a("div","mend");status=a("p","quiet");cell=null;id=null;update({state:t,reply:n}){if(this.
id===null&&t.answer!==null&&t.ended?.state==="success"&&this.begin(),n===null||n.id!==this.id||this.id==="")return;let{code:i,why:r}=n.said;this.id="",typeof i!=
"string"||i===""||i.length>xa?this.end(`The cell stays as it is: ${typeof r=="string"?r:"no code came"}.`):this.offer(i)}begin(){this.id="",queueMicrotask(()=>{
if(!this.el.isConnected)return void(this.id=null);let t={cell:null};this.el.dispatchEvent(new CustomEvent(Ca,{bubbles:!0,composed:!0,detail:t})),this.cell=t.cell,
this.cell!==null&&(this.id=this.request())})}offer(t){let n=this.cell?.source()??null;if(n===null)return this.end("The failing cell is gone.");if(n===t)return this.
end("The failing cell already contains this code.");this.say("Ran without an error in the sandbox, not yet in the notebook."),this.show(a("h4","answer-title","I\
n place of the failing cell"),ue(le(n,t),"Changes to the failing cell"),a("div","bar",C("Replace the cell","primary",i=>T(i)&&this.replace(t,n))),this.status)}replace(t,n){
let i=this.cell?.source()??null;if(i!==null&&i!==n)return this.offer(t),this.say("The cell was changed meanwhile. This is the difference to its current text.");
if(i===null||this.cell?.replace(t)!==!0)return this.end("The failing cell is gone, or cannot be changed.");let r=C("Undo","",o=>T(o)&&this.undo(t,n));this.say("\
The cell was replaced. Run it to use it."),this.show(a("div","bar",r),this.status),r.focus()}undo(t,n){if(this.cell?.source()!==t)return this.say("The cell was \
changed since then, so it is left as it is.");this.cell.replace(n),this.offer(t),this.say("The cell is as it was before."),this.el.querySelector("button")?.focus()}end(t){
this.say(t),this.show(this.status)}show(...t){this.el.replaceChildren(...t),this.el.hidden=!1}say(t){this.status.textContent=p(t)}};var pr={models:100,text:300},Aa=1e4,Da=0,ct=class{constructor(t){this.request=t;this.el=a("div","model",this.figures,this.opener,this.menu,this.status),this.menu.
id=`smolcell-models-${++Da}`,this.menu.hidden=this.status.hidden=!0,this.status.setAttribute("role","status"),this.opener.setAttribute("aria-expanded","false"),
this.opener.setAttribute("aria-controls",this.menu.id),this.el.addEventListener("keydown",n=>this.keyDown(n))}request;el;figures=a("span","spent");opener=C("Cha\
nge model","quiet",t=>T(t)&&this.toggle());menu=a("div","models");status=a("p","models-said quiet");figuresSlot=new _(this.figures);asked={kind:"",id:""};timer;update({
state:t,link:n,reply:i}){this.el.hidden=t.run==="",this.opener.hidden=n==="dead";let r=Fa(t);this.figuresSlot.draw([r],()=>r===""?[]:[r]),i!==null&&i.id===this.
asked.id&&i.id!==""&&this.take(i.said)}toggle(){if(!this.menu.hidden)return this.close();this.opener.setAttribute("aria-expanded","true"),this.menu.hidden=!1,this.
menu.replaceChildren(),this.ask("models","Looking for models\u2026")}close(){this.opener.setAttribute("aria-expanded","false"),this.menu.contains(document.activeElement)&&
this.opener.focus(),this.menu.hidden=!0,this.asked.kind==="models"&&this.wait("")}ask(t,n,i=""){if(this.wait(n),this.asked={kind:t,id:this.request(t,i)},this.asked.
id==="")return this.wait("The run\u2019s kernel is gone. Choose a model with: %agent config model=provider/model");this.timer=setTimeout(()=>this.say("No kernel\
 answered yet: it is busy with another cell, or gone."),Aa)}wait(t){clearTimeout(this.timer),this.asked={kind:"",id:""},this.say(t)}say(t){this.status.textContent=
p(t),this.status.hidden=t===""}take(t){let{kind:n}=this.asked,i=Y(t.why);if(i!=="")return this.wait(`Not changed: ${i}.`);if(n==="models")return this.list(Sa(t.
models));this.close(),this.wait(`From its next run on, the session ${Y(t.session)} uses ${Y(t.model)}, unless a cell names another with -m.`)}list(t){if(t.length===
0)return this.wait("No model was found: no key is set, and no server on this machine answers. Name one with: %agent config model=provider/model");this.wait("");
let n=a("fieldset","models-list",a("legend","","Model of the session, from its next run on"),...t.map(o=>this.row(o))),i=C("Use for the next run","primary",o=>T(
o)&&this.choose());this.menu.replaceChildren(n,a("div","bar",i,C("Cancel","",o=>T(o)&&this.close())));let r=n.querySelector("input:checked")??n.querySelector("i\
nput");document.activeElement===this.opener&&r?.focus()}row({id:t,name:n,why:i,now:r}){let o=Le("radio","");return o.name=this.menu.id,o.value=t,o.checked=r,a("\
label","models-row",o,a("span","",p(n)),a("span","quiet",p(i)))}keyDown(t){this.menu.hidden||(t.key==="Escape"?this.close():t.key==="Enter"&&z(t.target)&&T(t)&&
this.choose())}choose(){let t=this.menu.querySelector("input:checked");t===null?this.say("Choose a model first."):this.ask("model","Sent\u2026",t.value)}};function Sa(e){
return(Array.isArray(e)?e.slice(0,pr.models):[]).flatMap(n=>{let{id:i,name:r,why:o,now:s}=n??{};return Y(i)===""||Y(r)===""?[]:[{id:Y(i),name:Y(r),why:Y(o),now:s===
!0}]})}function Y(e){return typeof e=="string"?e.slice(0,pr.text):""}function Fa(e){let t=e.steps.findLast(s=>ln(s.usage)>0)?.usage??null,n=mr(e);if(n.length===
0)return"";let i=n.every(s=>s.cost!==null),r=n.reduce((s,l)=>s+(l.cost??0),0),o=i?j({input_tokens:0,output_tokens:0,cost:r}):"unknown";return I(t===null?"":En(ln(
t),e.window),`Cost so far: ${o}`)}function mr(e){let t=n=>n.usage!==null&&ln(n.usage)>0?[n.usage]:[];return e.steps.flatMap(n=>[...t(n),...n.runs.flatMap(mr)])}
function ln(e){return e===null?0:e.input_tokens+e.output_tokens}var Ta=2e3;function un(e){return e.call===0&&e.observation!==null&&!e.undone}var dt=class{el=a("div","back");status=a("div","back-said quiet");field=a("div","ba\
ck-field");step=0;isNewest=!1;actions;constructor({back:t}){this.actions=t,this.el.hidden=!0,this.field.hidden=!0,this.status.setAttribute("role","status")}update(t){
this.step=t.n;let n=this.actions!==null&&un(t);n&&this.el.firstChild===null?this.build():n||this.el.replaceChildren(),this.el.hidden=!n}markNewest(t){this.isNewest=
t;let n=this.el.querySelector("button");n!==null&&(n.hidden=t)}build(){let t=C("Go back to here","quiet",i=>T(i)&&this.goBack()),n=C("Try another way","quiet",i=>T(
i)&&this.open());t.hidden=this.isNewest,t.title="Undo everything that ran after this step",n.title="Undo this step and everything after it, and let the model tr\
y another way in a cell below",this.el.append(a("div","bar",t,n),this.field,this.status)}goBack(){this.status.replaceChildren("Going back\u2026"),this.actions?.
goBack(this.step,t=>this.status.replaceChildren(p(t)))}open(){let t=K("comment");t.rows=1,t.maxLength=Ta,t.placeholder="What to do differently (the model reads \
it)",t.setAttribute("aria-label",t.placeholder);let n=r=>this.send(t.value.trim(),r);t.addEventListener("keydown",r=>{r.key!=="Enter"||r.shiftKey||r.isComposing||
!T(r)||(r.preventDefault(),n(!0))});let i=C("Try it","primary",r=>T(r)&&n(r.detail===0));this.field.replaceChildren(t,a("div","bar",i,C("Cancel","",()=>this.close()))),
this.field.hidden=!1,t.focus()}close(){this.field.hidden=!0,this.field.replaceChildren()}send(t,n){if(this.actions===null)return;let{run:i,session:r}=this.actions.
place(),o=t===""?"":` --say ${Ke(t.replaceAll(/\s+/g," "))}`,s=r===""||r==="default"?"":` --session ${Ke(r)}`;this.close(),this.status.replaceChildren(...this.actions.
runCell(`%agent retry ${i}:${this.step}${o}${s}`,n))}};var _a=Array.from({length:21},(e,t)=>t/20),kr=.94,Ma=250,La=4,Ra=16,$a={threshold:_a,trackVisibility:!0,delay:100},ht=class{constructor(t,n){this.lines=t;this.changed=
n;this.unseen=new Set(t),this.observer=typeof IntersectionObserver>"u"?null:new IntersectionObserver(i=>this.see(i),$a);for(let i of t)this.observer?.observe(i)}lines;changed;unseen;parts=new Map;pending=new Set;closed=!1;observer;get unread(){
return this.lines.flatMap((t,n)=>this.unseen.has(t)?[n+1]:[])}showUnread(){this.lines.find(t=>this.unseen.has(t))?.scrollIntoView({block:"start"})}close(){this.
closed=!0,this.observer?.disconnect()}addPart(t,n){let i=Ia(this.parts.get(t),n);this.parts.set(t,i),!(i[1]-i[0]<kr)&&(this.unseen.delete(t),this.observer?.unobserve(
t))}recheck(t){this.pending.size===0&&setTimeout(()=>this.observePending(),Ma),this.pending.add(t)}observePending(){for(let t of this.closed?[]:this.pending)this.
unseen.has(t)&&(this.observer?.unobserve(t),this.observer?.observe(t));this.pending.clear()}see(t){let n=this.unseen.size;for(let i of t){let{target:r,isIntersecting:o,
boundingClientRect:s,intersectionRect:l}=i;!o||s.height===0||(Pa(i)||this.addPart(r,[(l.top-s.top)/s.height,(l.bottom-s.top)/s.height]),this.unseen.has(r)&&this.
recheck(r))}this.unseen.size===0&&this.close(),this.unseen.size<n&&this.changed()}};function Pa({target:e,isVisible:t,intersectionRatio:n,intersectionRect:i}){if(t===
!0)return!1;if(t===!1&&n>=kr)return!0;let r=e.getRootNode(),o=gr(i.left,i.right,La);return gr(i.top,i.bottom,Math.ceil(i.height/Ra)).some(l=>o.some(u=>!e.contains(
r.elementFromPoint(u,l))))}function gr(e,t,n){return Array.from({length:n},(i,r)=>e+(r+.5)*(t-e)/n)}function Ia(e,t){return e===void 0?t:t[0]<=e[1]&&e[0]<=t[1]?
[Math.min(e[0],t[0]),Math.max(e[1],t[1])]:t[1]-t[0]>e[1]-e[0]?t:e}var br=4;function yr(e,t){if(e.length===0)return"";if(e.length===t)return t===1?"The code has \
not been whole on your screen.":`None of the ${t} lines has been whole on your screen.`;let n=Oa(e),i=n.slice(0,br).map(([s,l])=>s===l?`${s}`:`${s}\u2013${l}`),
r=n.length>br?" and others":"",o=e.length===1;return`${o?"Line":"Lines"} ${i.join(", ")}${r} of ${t} ${o?"has":"have"} not been on your screen.`}function Oa(e){
let t=[];for(let n of e){let i=t.at(-1);i!==void 0&&i[1]===n-1?i[1]=n:t.push([n,n])}return t}var Na=5e3,Ba=0,ft=class{constructor(t,n,i,r,o){this.actions=t;this.step=n;this.pending=i;this.modeChanged=o;let s=i.why?a("p","note",p(i.why)):null;this.el=a("\
div","controls",s,this.row,this.unread,this.message),this.unread.id=`smolcell-unread-${++Ba}`,this.reading=new ht(r,()=>this.tellUnread(r.length)),this.el.setAttribute(
"role","group"),this.el.setAttribute("aria-label",qa[n.kind]??`Decide about step ${n.n}`),this.message.setAttribute("role","status"),this.tellUnread(r.length),this.
begin()}actions;step;pending;modeChanged;el;row=a("div","row");message=a("p","message");unread=a("p","unread");reading;sent="";overdue;editor=null;press(t){this.
sent!==""||this.mode!=="choose"||(t==="edit"?this.edit():t==="refuse"?this.refuse():this.send({choice:t}))}get mode(){return this.el.dataset.mode??""}arm(t){for(let n of this.
row.querySelectorAll("button"))n.disabled=this.sent!=="",t||!n.matches("[data-sends]")?n.removeAttribute("aria-disabled"):n.setAttribute("aria-disabled","true")}take(t){
t===null||t.id!==this.sent||this.sent===""||(clearTimeout(this.overdue),t.ok||this.again(`Not accepted: ${t.why}.`))}close(){clearTimeout(this.overdue),this.leaveEditor(),
this.reading.close()}tellUnread(t){let n=yr(this.reading.unread,t);this.unread.hidden=n==="",n===""?this.unread.replaceChildren():this.unread.firstChild===null?
this.unread.append(n," ",C("Show it","more",()=>this.reading.showUnread())):this.unread.firstChild.textContent=n,n===""&&this.mode==="choose"&&this.offerMore()}offerMore(){
if(this.reading.unread.length>0)return;let t=this.step.kind==="plan"?"Approve every plan of this run":"Approve the rest of this run";this.offer(t,"approve_run"),
this.pending.session===!0&&this.offer(za,"approve_kind")}offer(t,n){let i=R(t,"quiet",()=>this.click({choice:n})),r=this.row.querySelector("button");i.disabled=
r?.disabled??!1,r?.hasAttribute("aria-disabled")&&i.setAttribute("aria-disabled","true"),this.row.append(i)}begin(){this.step.kind==="question"?this.askQuestion():
this.step.kind==="budget"?this.askYesOrStop("budget","Go on"):this.step.kind==="link"?this.askYesOrStop("link","Allow"):this.step.kind==="context"?this.askContext():
this.step.kind==="output"?this.askOutput():this.step.kind==="host"?this.askHost():this.askCode()}askQuestion(){let t=K("comment");t.rows=2,t.setAttribute("aria-\
label","Your answer. The agent's code reads it."),t.placeholder="Your answer (the agent's code reads it)",this.editor=t,this.show("question",t,R("Send answer","\
primary",()=>this.click({choice:"edit",text:t.value})),R("Do not answer","",()=>this.click({choice:"refuse"})),R("Stop","",()=>this.click({choice:"stop"})))}askYesOrStop(t,n){
this.show(t,R(n,"primary",()=>this.click({choice:"approve"})),R("Stop","",()=>this.click({choice:"stop"})))}askContext(){let t=new Ge(this.pending.pieces??[]),n=r=>{
let o=qn(this.step.code,t.dropped()),s=o===this.step.code&&r===void 0;this.click(s?{choice:"approve"}:{choice:"edit",text:o,...r===void 0?{}:{offer:r}})},i=this.
pending.offers??[];this.show("context",t.el,R("This time","primary",()=>n()),...i.map(({id:r,label:o})=>R(p(o),"",()=>n(r))),R("No","",()=>this.click({choice:"r\
efuse"})))}askOutput(){this.editor=null;let t=this.pending.offers??[];this.show("output",...t.map(({id:n,label:i,choice:r})=>R(p(i),"primary",()=>this.click({choice:r,
offer:n}))),R("Let it pass unchanged","",()=>this.click({choice:"approve"})),ae("Refuse",()=>this.refuse()),R("Stop","",()=>this.click({choice:"stop"})))}askHost(){
this.editor=null;let t=this.pending.offers??[];this.show("host",R("Once","primary",()=>this.click({choice:"approve"})),...t.map(({id:n,label:i,choice:r})=>R(p(i),
"",()=>this.click({choice:r,offer:n}))),ae("Refuse",()=>this.refuse()),R("Stop","",()=>this.click({choice:"stop"})))}askCode(){this.leaveEditor();let t=this.pending.
offers??[];this.show("choose",R("Approve","primary",()=>this.click({choice:"approve"}),"A"),ae("Edit",()=>this.edit(),"E"),ae("Refuse",()=>this.refuse(),"R"),R(
"Stop","",()=>this.click({choice:"stop"}),"S"),...t.map(({id:n,label:i,choice:r})=>R(p(i),"offer",()=>this.click({choice:r,offer:n})))),this.offerMore()}edit(){
let{code:t,kind:n}=this.step,i=a("div","part"),r=()=>Ha(i,t,l.value),o=()=>this.click({choice:"edit",text:l.value}),s=R(n==="plan"?"Use edited plan":"Run edited",
"primary",o),l=new be(t,n==="code",r,o,()=>s.focus({preventScroll:!0}));this.editor=l,r(),this.show("edit",l.el,s,ae("Cancel",()=>this.back()),a("span","hint",Ua),
i),this.enter(l),l.loadCodeMirror()}refuse(){let t=K("comment");t.rows=2,t.setAttribute("aria-label","Why, or what to do instead. The model reads it."),t.placeholder=
"Why, or what to do instead (the model reads it)";let n=()=>this.click({choice:"refuse",comment:t.value});t.addEventListener("keydown",i=>{i.key!=="Enter"||i.shiftKey||
i.isComposing||(i.preventDefault(),!i.repeat&&T(i)&&n())}),this.show("refuse",t,R("Send refusal","danger",n),ae("Cancel",()=>this.back())),this.enter(t)}enter(t){
t.focus({preventScroll:!0}),this.el.scrollIntoView?.({block:"nearest"})}leaveEditor(){this.editor instanceof be&&this.editor.close(),this.editor=null}back(){this.
begin(),this.row.querySelector("button")?.focus({preventScroll:!0})}show(t,...n){this.el.dataset.mode=t,this.modeChanged(t),this.row.replaceChildren(...n.filter(
i=>i instanceof Node)),this.say("");for(let i of this.row.querySelectorAll(".smolcell-primary"))i.setAttribute("aria-describedby",this.unread.id)}click(t){this.
actions.clickCounts()?this.send(t):this.tooEarly()}tooEarly(){this.sent===""&&this.say(ja)}send(t){this.sent===""&&(this.sent=this.actions.answer(this.pending,t),
this.arm(!1),this.editor!==null&&(this.editor.readOnly=!0),this.say("Sent\u2026"),this.overdue=setTimeout(()=>this.again("The kernel has not confirmed this yet.\
 You can try again."),Na))}again(t){this.sent="",this.arm(!0),this.editor!==null&&(this.editor.readOnly=!1),this.say(t)}say(t){this.message.textContent=t,this.message.
hidden=t===""}};function Ha(e,t,n){let i=t!==n;e.replaceChildren(...i?[a("p","quiet","What you changed:"),ue(le(t,n))]:[]),e.hidden=!i}var qa={context:"Decide w\
hat the model is sent",link:"Decide whether a link is followed"},Ua="Ctrl+Enter or Shift+Enter sends it, Tab indents, Escape leaves the editor.",ja="Too early: \
a click or a key counts only after the step was in view, and stood still, for half a second. Try again.",za="Approve code while the sandbox is isolated, in this\
 session";function R(e,t,n,i=""){let r=C(e,t,o=>T(o)&&n(),i);return r.dataset.sends="",r}function ae(e,t,n=""){return C(e,"",i=>T(i)&&t(),n)}var Va={thinking:"thinking",pending:"waiting",allowed:"running",running:"running",done:"done",refused:"refused",unparsed:"no code",cut:"cut short"},Wa={person:"\
you",policy:"the policy",auto:"auto-approval",remembered:"your earlier approval",grant:"a grant of yours",caller:"the caller",deny:"the deny setting",nobody:"de\
fault"},pt=class{constructor(t,n){this.actions=t;this.runs=n;this.back=new dt(t),this.el=a("section","step",a("div","step-head",a("h4","step-title",this.toggle),
this.facts),this.reasoningFold,this.thought.el,this.draft.el,this.code.el,this.decision.el,this.place,this.tools.el,this.runs.el,this.printed.el,this.shown.el,this.
observed.el,this.back.el),this.el.setAttribute("role","group"),this.collapse(!1)}actions;runs;el;controls=null;drawn=null;asking=null;toggle=C("","step-toggle",
()=>this.collapse(this.el.dataset.collapsed!=="true"));facts=a("div","step-facts");reasoningText=a("div","reasoning");reasoning=new U(this.reasoningText);reasoningFold=M(
"Reasoning",this.reasoningText);thought=new U(a("div","thought"));draft=new Me(a("pre","draft"));code=new _(a("div","part"));decision=new _(a("div","decision"));place=a(
"div","place");printed=new te(Qt());shown=new _(a("div","part"));tools=new _(a("div","part"));observed=new _(a("div","part"));head=new _(this.facts);back;update(t,n,i){
let r=n!==null&&n.fingerprint===t.fingerprint?n:null,o=this.drawn!==null&&r===null&&i!==null&&i===this.asking;this.asking=i,t!==this.drawn&&!o&&(this.drawParts(
t),this.drawn=t),this.drawControls(t,r),this.runs.update(t.runs,i),this.waiting()!==void 0&&this.el.dataset.collapsed==="true"&&this.collapse(!1)}shows(t,n){let i=t.
observation!==null||n===this.asking;return t===this.drawn&&i&&this.controls===null&&t.runs.length===0}waiting(){return this.controls===null?this.runs.waiting():
this}markNewest(t){this.back.markNewest(t)}get step(){return this.drawn}collapse(t){this.el.dataset.collapsed=String(t&&this.waiting()===void 0),this.toggle.setAttribute(
"aria-expanded",String(this.el.dataset.collapsed==="false"))}showNews(){[this.shown.el,this.printed.el].find(n=>n.firstChild!==null&&!n.hidden)?.scrollIntoView?.(
{block:"nearest"})}take(t){this.controls?.take(t)}drawParts(t){this.el.setAttribute("aria-label",wr(t)),this.el.dataset.call=String(t.call),this.el.dataset.idea=
String(t.call>hn),this.el.dataset.status=cn(t)?"failed":t.status,this.el.dataset.step=String(t.n),this.toggle.textContent!==vr(t)&&(this.toggle.textContent=vr(t)),
this.el.dataset.undone=String(t.undone),this.head.draw([t.status,t.usage,t.observation,t.kind,t.undone],()=>Ka(t)),this.reasoning.set(t.reasoning.trim()),this.reasoningFold.
hidden=t.reasoning==="";let[n,i]=t.reply===""?[t.thought,""]:ic(t.reply);this.thought.set(n.trim()),this.draft.set(p(i)),this.code.draw([t.code,t.kind,t.findings,
t.edited,t.observation===null,dn(t)],()=>Ya(t)),this.decision.draw([t.status,t.by,t.scope,t.comment,t.offer,t.reason],()=>nc(t)),this.back.update(t),this.observed.
draw([t.observation],()=>t.observation===null?[]:Wi(t.observation,t.edited??t.code)),this.tools.draw([t.tools],()=>Qa(t.tools));let r=t.observation;this.printed.
set(r===null?t.output:r.places.length>0?"":r.stdout),this.shown.draw([t.outputs],()=>t.outputs.flatMap(o=>tn(o)))}drawControls(t,n){let i=n!==null&&t.status==="\
pending"?n:null;if(JSON.stringify(i)!==JSON.stringify(this.controls?.pending??null)){if(this.controls?.close(),this.controls=null,this.showCode(!0),i!==null){let r=[
...this.code.el.querySelectorAll(".smolcell-line")];this.controls=new ft(this.actions,t,i,r,o=>this.showCode(o!=="edit"))}this.collapse(!1),this.place.replaceChildren(
...this.controls===null?[]:[this.controls.el])}}showCode(t){let n=this.code.el.querySelector(":scope > .smolcell-code");n!==null&&(n.hidden=!t)}};function cn(e){
return e.observation?.error!=null}function dn(e){return e.observation?.error?.line??0}function Ka(e){let t=a("span",`status ${cn(e)?"failed":e.status}`,cn(e)?"e\
rror":Va[e.status]),n=e.observation===null?"":`ran ${O(e.observation.duration)}`,i=e.duration>0?`model ${O(e.duration)}`:"",r=I(i,n,e.usage===null?"":ie(e.usage),
e.usage===null?"":j(e.usage));return[e.undone&&a("span","status undone","taken back"),t,a("span","figures",r)]}var Ga=1e6,hn=2e6;function wr({n:e,call:t,kind:n}){
return n==="context"?"The notebook as context":n==="link"?"A link that leads elsewhere":t>=hn?`Step ${e}, idea ${t-hn}`:t===0||t>=Ga?`Step ${e}`:`Step ${e}, cal\
l ${t}`}var Xa={code:"",call:": a tool call",plan:": a plan",budget:": the budget is spent",question:": a question to you",context:"",output:": an output check \
asks you",host:": a connection to a host",link:""};function vr(e){return wr(e)+(e.kind==="call"&&e.call===0?"":Xa[e.kind])}function Ya(e){if(e.code==="")return[];
if(e.kind==="context")return[a("p","question",p(e.code.split(`
`,1)[0]??""))];let t=e.observation===null?e.findings:e.findings.filter(({kind:n})=>n!=="name");return e.edited===null?[ut(e.code,e.kind,t,dn(e)),sn(t)]:[a("p","\
note","Edited by you. This ran:"),ut(e.edited,e.kind,[],dn(e)),Za(e.code,e.edited),M("What the model proposed",ut(e.code,e.kind,t),sn(t))]}function Za(e,t){let n=le(
e,t),i=M("What you changed",ue(n));return i.open=n.filter(({sign:r})=>r!==" ").length<=Ja,i}var Ja=20;function Qa(e){if(e.length===0)return[];let t=e.reduce((i,{
times:r})=>i+r,0),n=M(`Tools called: ${t}`,a("ul","calls",...e.map(tc)));return n.open=e.length<=ec||e.some(({error:i})=>i!==""),[n]}var ec=5;function tc({text:e,
result:t,error:n,duration:i,times:r}){let o=n===""?a("code","quiet",p(t)):a("span","fault-title",p(n)),s=I(r>1?`${r} times, such as this`:"",O(i)),l=t===""&&n===
""?"":" \u2192 ";return a("li","call",a("code","",p(e)),l,o,a("span","figures",` \xB7 ${s}`))}function nc(e){let t=Wa[e.by]??p(e.by);if(e.status==="unparsed")return[
a("p","note","The reply held no program. The model was told: ",an(e.reason))];if(e.status==="refused")return[a("p","note",`Refused by ${t}`,e.reason===""?".":":\
 ",an(e.reason))];if(e.by==="")return[];let n=e.kind==="question"?"Answered":"Approved",i=e.scope==="run"?e.kind==="plan"?", with every plan of this run":", wit\
h the rest of this run":e.scope==="kind"?", with later code of this session while the sandbox is isolated":"",r=e.offer===""?"":`, and ${p(e.offer)}`;return[a("\
p","quiet",`${n} by ${t}${i}${r}`,e.comment===""?".":": ",an(e.comment))]}function an(e){return e===""?null:a("q","quote",p(e))}function ic(e){let t=/<code>|```[a-z]*\n?|^(?=\s*\{)/m.
exec(e),n=e.slice(0,t?.index).replace(/^\s*Thought:\s*/,"");return t===null?[n,""]:[n,e.slice(t.index+t[0].length).replace(/\s*(<\/code>|```)\s*$/,"").trimStart()]}var rc=50,oc=8,sc=3,Te=class{constructor(t){this.actions=t}actions;el=a("div","steps");views=[];found;newest;folded=0;batch=this.el;update(t,n){if(t.steps.forEach(
(i,r)=>{let o=this.views[r]??this.add(),s=n!==null&&n.run===t.run&&n.step===i.n?n:null;(s!==null||!o.shows(i,n))&&o.update(i,s,n)}),this.cut(t.steps.length),this.
markNewest(t.ended===null?-1:t.steps.findLastIndex(un)),this.views.length>=oc)for(;this.folded<this.views.length-sc;this.folded++)this.views[this.folded]?.collapse(
!0);this.found=this.views.findLast(i=>i.waiting()!==void 0)?.waiting()}waiting(){return this.found}showNews(){this.views.at(-1)?.showNews()}markNewest(t){let n=this.
views[t];n!==this.newest&&(this.newest?.markNewest(!1),n?.markNewest(!0),this.newest=n)}cut(t){for(let n of this.views.splice(t))n.el.remove();for(;this.batch!==
this.el&&this.batch.firstChild===null;){let n=this.batch.previousElementSibling;this.batch.remove(),this.batch=n?.classList.contains("smolcell-batch")===!0?n:this.
el}}add(){let t=new pt(this.actions,new fn(this.actions));return this.views.length%rc===0&&this.views.length>0&&(this.batch=this.el.appendChild(a("div","batch"))),
this.views.push(t),this.batch.append(t.el),t}},fn=class{constructor(t){this.actions=t;this.el.hidden=!0}actions;el=a("div","runs");views=[];update(t,n){this.el.
hidden!==(t.length===0)&&(this.el.hidden=t.length===0),t.forEach((i,r)=>(this.views[r]??this.add()).update(i,n));for(let i of this.views.splice(t.length))i.el.remove()}waiting(){
return this.views.findLast(t=>t.steps.waiting()!==void 0)?.steps.waiting()}add(){let t=new pn(this.actions);return this.views.push(t),this.el.append(t.el),t}},pn=class{el;steps;asking=null;summary=new _(
a("summary","summary"));task=new _(a("div","task-part"));answered=new _(a("div","answer"));foot=new _(a("div","foot"));constructor(t){this.steps=new Te(t),this.
el=a("details","fold run",this.summary.el,this.task.el,this.steps.el,this.answered.el,this.foot.el),this.el.open=!0}update(t,n){let i=n!==null&&(n.run===t.run||
n.run.startsWith(`${t.run}-`)),r=!i&&n!==null&&n===this.asking;this.asking=n,!r&&(this.el.dataset.run!==t.run&&this.name(t),i&&!this.el.open&&(this.el.open=!0),
this.summary.draw([t.agent,t.model,t.boundary,t.phase,t.ended],()=>[lc(t)]),this.task.draw([t.task],()=>[a("div","task",p(t.task))]),this.steps.update(t,n),this.
answered.draw([t.answer],()=>st(t)),this.foot.draw([t.ended],()=>uc(t)))}name(t){this.el.dataset.run=t.run,this.el.setAttribute("aria-label",`Run of the agent ${p(
t.agent)}`)}};function lc(e){let t=e.ended===null?e.phase:nn[e.ended.state]??e.ended.state,n=e.boundary===null?e.sandbox:e.boundary.where;return a("span","",a("\
strong","",`Agent ${p(e.agent)}`),` \xB7 ${I(t.toLowerCase(),p(e.model),p(n))}`)}function uc({ended:e}){if(e===null)return[];let t=I(L(e.steps,"step"),O(e.duration),
ie(e.usage),j(e.usage));return[a("p","quiet",t),e.error!==""&&a("p","fault-title",p(e.error))]}var _e=Number.NEGATIVE_INFINITY,ac=200,cc=1,dc=500,mt=class{constructor(t,n,i,r=()=>performance.now()){this.root=t;this.changed=n;this.now=r;this.facts.pageVisible=
document.visibilityState==="hidden"?null:_e;let o=window.top===window;this.facts.windowFocused=!o||document.hasFocus()?_e:null,o&&this.watchWindow(i);for(let s of[
"wheel","touchmove","keydown","pointerdown"])window.addEventListener(s,l=>this.acted(l),{signal:i,capture:!0,passive:!0});window.addEventListener("scroll",()=>this.
look(),{signal:i,capture:!0,passive:!0}),document.addEventListener("visibilitychange",()=>this.set("pageVisible",document.visibilityState!=="hidden"),{signal:i}),
t.addEventListener("focusin",s=>this.focused(s),{signal:i}),t.addEventListener("focusout",s=>this.left(s),{signal:i}),this.observer=typeof IntersectionObserver>
"u"?null:new IntersectionObserver(s=>this.seen(s)),i.addEventListener("abort",()=>this.watch(null))}root;changed;now;facts={drawn:null,still:_e,pageVisible:null,
windowFocused:null,inView:null,cardFocused:null};observer;watched=null;place=null;looking;input=_e;watch(t){this.observer?.disconnect(),clearInterval(this.looking),
this.watched=t,this.place=null,t!==null&&this.follow(t),this.facts.inView=this.observer===null?_e:null,this.set("drawn",t!==null,!0),t!==null&&this.observer?.observe(
t)}clickCounts(){return this.look(),Dt(this.facts,this.now())}keyCounts(){return this.look(),Cn(this.facts,this.now())}restartWait(){this.facts.cardFocused!==null&&
this.set("cardFocused",!0,!0)}follow(t){this.looking=setInterval(()=>this.look(),ac);let n=()=>{this.watched===t&&(this.place=Er(t))};typeof requestAnimationFrame<
"u"&&requestAnimationFrame(()=>requestAnimationFrame(n))}look(){if(this.watched===null||this.place===null)return;let t=this.place,n=this.place=Er(this.watched);
if(t.mode!==n.mode)return;let i=!Cr(t.onPage,n.onPage)&&this.now()-this.input<dc;Cr(t.inWindow,n.inWindow)&&!i&&this.set("still",!0,!0)}acted(t){t.isTrusted&&((t.
type==="keydown"||t.type==="pointerdown")&&this.look(),this.input=this.now())}watchWindow(t){window.addEventListener("focus",()=>this.set("windowFocused",!0),{signal:t}),
window.addEventListener("blur",()=>this.set("windowFocused",!1),{signal:t})}focused(t){let n=t.relatedTarget;n instanceof Node&&this.root.contains(n)&&!z(n)||this.
set("cardFocused",!0,!0)}left(t){let n=t.relatedTarget;(!(n instanceof Node)||!this.root.contains(n))&&this.set("cardFocused",!1)}seen(t){let n=t.findLast(i=>i.
target===this.watched);n!==void 0&&this.set("inView",n.isIntersecting)}set(t,n,i=!1){let r=this.facts[t];n?(r===null||i)&&(this.facts[t]=this.now()):this.facts[t]=
null,this.changed(),n&&setTimeout(this.changed,505)}};function Er(e){let{left:t,top:n}=e.getBoundingClientRect(),[i,r]=[t,n];for(let o=e.parentNode;o!==null;o=o instanceof
ShadowRoot?o.host:o.parentNode)o instanceof Element&&([i,r]=[i+o.scrollLeft,r+o.scrollTop]);return{inWindow:[t,n],onPage:[i,r],mode:e.dataset.mode}}function Cr(e,t){
return e.some((n,i)=>Math.abs(n-(t[i]??n))>cc)}var hc=1e4,gt=class{constructor(t,n,i){this.feed=t;this.post=n;this.el.tabIndex=0,this.el.setAttribute("role","region");let r=a("div","head",a("div","head-text",
this.task.el,this.head.el,this.model.el));this.list=new Te(this),this.el.append(this.rule.el,r,this.list.el,this.notices.el,this.now,this.answered.el,this.fix.el,
this.followUp.el,this.foot.el,this.exported.el,this.announcer.el),this.visibility=new mt(this.el,()=>this.arm(),i),this.cardFocus=new Oe(this.el,i),this.record=
new Ve(this.el,()=>this.post.record(this.feed.state.run),i),this.libraries=new Ue(this.el,n.library,i),In(this.el,n.picture,i),this.listen(i),this.update()}feed;post;el=a(
"div","card");task=new _(a("div","task-part"));head=new _(a("div","head-parts"));stopButton=C("Stop run","stop",()=>this.stop());rule=new _(document.createElement(
"style"));list;notices=new _(a("div","notices"));progress=a("div","progress");now=a("div","now",this.progress,this.stopButton);announcer=new Ie;answered=new _(a(
"div","answer"));foot=new _(a("div","foot"));record;libraries;exported=new ze(()=>this.post.export(this.feed.state.run));model=new ct((t,n)=>this.post.request(t,
this.feed.state.run,n));fix=new at(()=>this.post.request("replacement",this.feed.state.run));followUp=new We;visibility;cardFocus;requests=new Map;phase="";since=performance.
now();stopping=!1;over=!1;showing=!1;scrolled=!1;answer(t,n){return this.cardFocus.keep(),this.scrolled=!1,this.post.answer(t,n)}clickCounts(){return this.visibility.
clickCounts()}back={goBack:(t,n)=>this.goBack(t,n),runCell:(t,n)=>this.runCell(t,n),place:()=>this.feed.state};goBack(t,n){let i=this.post.request("goto",this.feed.
state.run,String(t));if(i==="")return n("The run\u2019s kernel is gone: there is nothing to go back to.");let r=setTimeout(()=>n("No kernel answered yet: it is \
busy with another cell, or gone."),hc);this.requests.set(i,({said:o,why:s})=>{clearTimeout(r),n(typeof s=="string"&&s!==""?`Not taken back: ${s}`:typeof o=="str\
ing"?o:"")})}runCell(t,n){return Rt(this.el,{task:null,session:this.feed.state.session,cell:t,byKey:n})?[]:$t(t)}update(){let{state:t}=this.feed,n=this.waiting()?.
controls??null,i=t.ended!==null&&!this.over,r=z(this.el.ownerDocument.activeElement);i&&this.cardFocus.keep();let{isHere:o}=this.cardFocus,s=(o||St(this.el))&&!this.
scrolled;this.drawEnds(t),this.takeReply(),this.list.update(t,this.feed.link==="live"?this.feed.pending:null),this.drawStop(t);let l=this.waiting()?.controls??null;
l!==n&&this.onPendingChange(o),l?.take(this.feed.verdict),this.announcer.announce(t,this.waiting()?.step??void 0,this.feed.pending?.run),t.phase!==this.phase&&([
this.phase,this.since]=[t.phase,performance.now()]),this.tick(),this.arm(),this.over=t.ended!==null,s&&t.phase==="running"&&this.showNews(),i&&s&&(t.answer===null?
this.foot:this.answered).el.scrollIntoView?.({block:"nearest"}),i&&!r&&this.cardFocus.giveBack()}showNews(){this.showing||typeof requestAnimationFrame>"u"||(this.
showing=!0,requestAnimationFrame(()=>{this.showing=!1,!this.scrolled&&this.feed.state.phase==="running"&&this.list.showNews()}))}takeReply(){let{reply:t}=this.feed,
n=t===null?void 0:this.requests.get(t.id);t===null||n===void 0||(this.requests.delete(t.id),n(t.said))}drawTask(t){return this.el.setAttribute("aria-label",fc(this.
el,`Agent run ${p(t.task).slice(0,80)}`.trim())),t.task===""?[]:ir(t)}drawStop(t){this.stopButton.hidden=t.ended!==null||this.feed.link!=="live"||this.waiting()!==
void 0,this.stopButton.disabled=this.stopping;let n=String(!this.stopButton.hidden&&this.feed.pending===null);this.now.dataset.floating!==n&&(this.now.dataset.floating=
n)}waiting(){return this.list.waiting()}drawEnds(t){this.el.dataset.link=this.feed.link,this.el.dataset.run=t.run,this.el.dataset.over=String(t.ended!==null&&this.
feed.link!=="dead"),this.rule.draw([t.run],()=>[`.smolcell-run-${t.run.replace(/[^A-Za-z0-9-]/g,"")} { display: none; }`]),this.task.draw([t.task],()=>this.drawTask(
t)),this.head.draw([t.run,t.boundary,t.variables,t.model,t.sent],()=>t.run===""?[]:nr(t)),this.notices.draw([t.notices.length],()=>t.notices.map(n=>a("p","note",
p(n.text)))),this.answered.draw([t.answer],()=>st(t)),this.answered.el.classList.toggle("smolcell-uncomputed",t.answer?.uncomputed===!0),this.foot.draw([t.ended],
()=>rr(t)),this.model.update(this.feed),this.fix.update(this.feed),this.followUp.update(this.feed),this.exported.update(this.feed),this.record.update(this.feed),
this.libraries.update(this.feed.library)}onPendingChange(t){let n=this.waiting();this.visibility.watch(n?.controls?.el??null),n===void 0&&Fn();let i=t||St(this.
el);(n===void 0?t&&!this.cardFocus.isHere:i||Sn(this.el))&&this.el.focus({preventScroll:!0}),n!==void 0&&i&&!this.scrolled&&xr(n)}arm(){this.waiting()?.controls?.
arm(this.visibility.clickCounts()||this.onlyUnfocused()),this.el.dataset.armed=String(this.waiting()!==void 0&&this.visibility.keyCounts())}onlyUnfocused(){let{
drawn:t,still:n,pageVisible:i}=this.visibility.facts;return t!==null&&n!==null&&i!==null&&performance.now()-Math.max(t,n,i)>=500}stop(){this.cardFocus.keep(),this.
stopping=!0,this.stopButton.disabled=!0,this.stopButton.textContent="Stopping\u2026",this.post.stop(this.feed.state.run)}listen(t){window.addEventListener("keyd\
own",i=>this.keyDown(i),{capture:!0,signal:t});for(let i of["wheel","touchmove"])window.addEventListener(i,()=>this.scrolled=!0,{capture:!0,passive:!0,signal:t});
window.addEventListener("pointerdown",i=>i.composedPath().includes(this.el)||(this.scrolled=!0),{capture:!0,passive:!0,signal:t}),this.el.addEventListener("keyd\
own",i=>z(i.target)&&i.stopPropagation(),{signal:t});let n=setInterval(()=>this.tick(),1e3);t.addEventListener("abort",()=>clearInterval(n))}keyDown(t){let n=t.
composedPath()[0]??null;if(pc.has(t.key)&&(this.scrolled=!0),!t.composedPath().includes(this.el)||z(n)||!An(t)||this.over&&t.key==="Enter"&&t.shiftKey||(t.stopImmediatePropagation(),
!T(t)))return;this.visibility.keyCounts()||this.visibility.restartWait();let i=xn(t);if(i===null)return;t.preventDefault();let r=this.waiting();r===void 0?i==="\
stop"&&!this.stopButton.hidden&&!this.stopping&&this.stop():this.visibility.keyCounts()?r.controls?.press(i):this.visibility.facts.inView===null?xr(r):r.controls?.
tooEarly()}tick(){let t=this.progressText();this.progress.textContent!==t&&(this.progress.textContent=t),this.progress.hidden=t===""}progressText(){let{state:t,
link:n,pending:i}=this.feed;if(n==="dead")return"The kernel that ran this is gone, or was restarted. Nothing here can run any more.";if(n==="connecting")return"\
Waiting for the kernel\u2026";if(n==="over")return t.ended===null?"This run is over.":"";let r=O(Math.floor((performance.now()-this.since)/1e3)).replace(".0",""),
o=mc[t.phase]??"";if(i!==null)return"Waiting for your decision.";if(t.phase==="asking")return"Checking\u2026";let s=t.phase==="thinking"&&t.boundary===null&&t.progress===
""?" \xB7 the sandbox is starting":"";return`${o}\u2026 ${r}${s}${t.progress===""?"":` \xB7 ${p(t.progress)}`}`}};function fc(e,t){let n=[...document.querySelectorAll(
".smolcell-card")].filter(r=>r!==e).map(r=>r.getAttribute("aria-label")),i=t;for(let r=2;n.includes(i);r++)i=`${t}, ${r}`;return i}function xr(e){(e.el.getBoundingClientRect().
height<window.innerHeight?e.el:e.controls?.el)?.scrollIntoView?.({block:"nearest"})}var pc=new Set(["PageUp","PageDown","ArrowUp","ArrowDown","Home","End"]),mc={
opening:"Starting",thinking:"Thinking",running:"Running"};var bn={run:"",agent:"",task:"",variables:[],files:[],tools:[],lost:[],locks:[],sent:[],images:0,model:"",sandbox:"",approve:"",session:"",resumes:"",window:0,boundary:null,
phase:"opening",progress:"",steps:[],notices:[],answer:null,ended:null};function yt(e,t=[]){return t.reduce(wt,e.reduce(vt,bn))}function vt(e,t){if(e.run!==""&&
t.run!==e.run)return gc(e,t);let n=bc(e,t);return n===e||n.progress===""?n:{...n,progress:""}}function gc(e,t){if(t.event!=="Asked"||t.parent!==e.run)return _r(
e,r=>vt(r,t));let{parent_step:n=0,parent_call:i=0}=t;return $(e,n,r=>({...r,runs:[...r.runs,yt([t])]}),i)}function _r(e,t){let n=!1,i=e.steps.map(r=>{let o=r.runs.
map(t);return o.every((s,l)=>s===r.runs[l])?r:(n=!0,{...r,runs:o})});return n?{...e,steps:i}:e}function bc(e,t){switch(t.event){case"Asked":return yc(e,t);case"\
Sent":return{...e,sent:t.pieces};case"Opened":return{...e,boundary:t.boundary};case"Replied":return{...$(vc(e,t),t.step,wc(t)),phase:"thinking"};case"Unparsed":
return{...$(e,t.step,Ec(t)),phase:"thinking"};case"Trimmed":return{...e,notices:[...e.notices,{step:t.step,text:Yc(t.steps)}]};case"Proposed":return{...Cc(e,t),
phase:"asking"};case"Installed":return{...e,notices:[...e.notices,{step:t.step,text:zc(t)}]};case"Granted":return{...e,notices:[...e.notices,{step:t.step,text:Vc(
t)}]};case"Connected":return{...e,notices:[...e.notices,{step:t.step,text:Mc(t)}]};case"Checked":return{...e,notices:[...e.notices,{step:t.step,text:Lc(t)}]};case"\
Allowed":return Ar(e,t)?Dr(e,t):Dc($(e,t.step,Ac(t),t.call),t);case"Refused":return Ar(e,t)?Dr(e,t):gn(Sc($(e,t.step,Rc(t),t.call),t),t.step);case"Called":return $(
e,t.step,Bc(t));case"Observed":return gn($(e,t.step,Hc(t),t.call),t.step);case"Answered":return{...$(e,t.step,qc),answer:{step:t.step,text:t.text,is_text:t.is_text??
!1,...t.uncomputed===!0&&{uncomputed:!0}}};case"Ended":return Uc(e,t);case"Undone":return Wc(e,t);case"Branched":return{...e,notices:[...e.notices,{step:t.step,
text:jc(t)}]};default:return e}}function wt(e,t){if((t.run??e.run)!==e.run)return _r(e,n=>wt(n,t));switch(t.channel){case"progress":return{...e,progress:t.text};case"\
reply":return $(e,t.step,n=>({...n,reply:kt(n.reply,t.text)}));case"reasoning":return $(e,t.step,n=>({...n,reasoning:kt(n.reasoning,t.text)}));case"output":return $(
e,t.step,n=>$c(n,t.text));case"display":return $(e,t.step,n=>({...n,outputs:Nc(n.outputs,t.text)}));default:return e}}function $(e,t,n,i=0){let r=e.steps.findLastIndex(
s=>s.n===t&&s.call===i),o=[...e.steps];return r<0?o.push(n(kc(t,i))):o[r]=n(o[r]),{...e,steps:o}}function kc(e,t){return{n:e,call:t,status:"thinking",kind:"code",
reply:"",reasoning:"",thought:"",code:"",fingerprint:"",findings:[],edited:null,sha256:"",by:"",scope:"",comment:"",offer:"",who:"",reason:"",output:"",outputs:[],
observation:null,usage:null,duration:0,runs:[],tools:[],undone:!1}}function yc(e,t){let{run:n,task:i,variables:r,model:o,sandbox:s,approve:l,session:u,resumes:c="",
files:h=[],tools:f=[],lost:g=[],locks:m=[],agent:d=""}=t;return{...e,run:n,agent:d,task:i,variables:r,files:h,tools:f,lost:g,locks:m,images:t.images.length,model:o,
sandbox:s,approve:l,session:u,resumes:c,phase:"thinking"}}function vc(e,{step:t,note:n="",window:i=0}){let r=i>0?{...e,window:i}:e;return n===""?r:{...r,notices:[
...e.notices,{step:t,text:n}]}}function wc({text:e,reasoning:t,usage:n,duration:i}){return r=>({...r,reply:e,reasoning:t,usage:n,duration:i})}function Ec({reason:e}){
return t=>({...t,status:"unparsed",reason:e})}function Cc(e,t){let{step:n,call:i=0,thought:r}=t;if(i===0)return $(e,n,bt(t));if(Mr.has(t.kind))return $(e,n,bt(t),
i);let o=e.steps.findLast(l=>l.n===n&&l.call===0);if(o!==void 0&&o.status!=="thinking")return $(e,n,bt(t),i);let s=$(e,n,l=>({...l,status:"done",kind:"call",reply:"",
thought:r}));return $(s,n,bt({...t,thought:""}),i)}var xc={edited:null,sha256:"",by:"",scope:"",comment:"",offer:"",who:"",reason:""};function bt({kind:e,thought:t,
text:n,fingerprint:i,findings:r}){return o=>({...o,...xc,status:"pending",reply:"",kind:e,thought:t,code:n,fingerprint:i,findings:r})}function Ac({text:e,sha256:t,
by:n,edited:i,scope:r,comment:o,kind:s,offer:l="",who:u=""}){let c=s==="plan"?"done":"allowed";return h=>({...h,status:c,edited:i?e:null,sha256:t,by:n,scope:r,comment:o,
offer:l,who:u})}function Dc(e,{kind:t,step:n,call:i=0}){if(t==="plan")return{...e,phase:"thinking"};let r=e.steps.find(s=>s.n===n&&s.call===i);if(t==="context")
return{...e,steps:e.steps.filter(s=>s!==r),phase:"thinking"};if(t!=="budget"&&t!=="link")return{...e,phase:"running"};let o={step:n,text:`${r?.code??""}${t==="l\
ink"?": it was allowed.":" It was allowed."}`};return{...e,steps:e.steps.filter(s=>s!==r),notices:[...e.notices,o],phase:"thinking"}}function Sc(e,{step:t,call:n=0,
then:i}){let r=e.steps.find(o=>o.n===t&&o.call===n);return r?.kind!=="context"||i!=="continue"?e:{...e,steps:e.steps.filter(o=>o!==r),notices:[...e.notices,{step:t,
text:Fc}]}}var Fc="The cells of the notebook were not sent to the model.";function Ar(e,{step:t,call:n=0}){return e.steps.some(i=>i.n===t&&i.call===n&&Mr.has(i.
kind))}var Mr=new Set(["output","host"]);function Dr(e,{step:t,call:n=0}){return gn({...e,steps:e.steps.filter(i=>i.n!==t||i.call!==n)},t)}var Tc={model:"the te\
xt for the model",answer:"the answer",saved:"what is saved"},_c={pass:"Passed as it is",redact:"Redacted",refuse:"Refused"};function Mc({host:e,port:t,sent:n,received:i,
duration:r,refused:o="",credentials:s=[],times:l}){let u=t===0?e||"a host":`${e}:${t}`;if(o!=="")return`No connection to ${u}${l>1?` (${l} times)`:""}: ${o}.`;let c=s.
length>0?`, with the credential ${s.join(", ")}`:"",h=`${Sr(n)} bytes sent, ${Sr(i)} received`;return`${l>1?`${l} connections`:"Connected"} to ${u}: ${h}, ${r.toFixed(
3)} s${c}.`}function Sr(e){return e.toLocaleString("en-US")}function Lc({at:e,to:t,check:n,found:i,action:r,why:o}){let s=e==="tools"?`what is passed to ${t}`:Tc[e],
l=Object.entries(i).map(([u,c])=>`${u} (${c})`);return`${n} found in ${s}: ${l.join(", ")}. ${_c[r]}${o===""?"":` (${o})`}.`}function gn(e,t){let n=e.steps.findLast(
i=>i.n===t&&i.call===0);return{...e,phase:n?.status==="allowed"||n?.status==="running"?"running":"thinking"}}function Rc({reason:e,by:t,who:n=""}){return i=>({...i,
status:"refused",reason:e,by:t,who:n})}function $c(e,t){return{...e,status:e.status==="allowed"?"running":e.status,output:kt(e.output,t)}}var Fr=25e4;function kt(e,t){
let n=t.lastIndexOf(Pc);return n>=0?kt("",t.slice(n+1)):e.length>=Fr&&!t.includes("\r")?e:Ic(e+t).slice(0,Fr)}var Pc="\uFDEF";function Ic(e){if(!e.includes("\r"))
return e;let[t="",...n]=e.split(`
`),i=Tr(t);return[i===t?t:`\r${i}`,...n.map(Tr)].join(`
`)}var Oc=/[\x00-\x1f\x7f]/;function Tr(e){let t=e.length;for(;t>0&&Oc.test(e[t-1]);)t--;return e.slice(e.slice(0,t).lastIndexOf("\r")+1)}function Nc(e,t){let{at:n,
count:i,data:r}=JSON.parse(t),o=e.slice(0,i);return r===null||n>o.length?o:[...o.slice(0,n),{data:r},...o.slice(n+1)]}function Bc({call:e,name:t,text:n,result:i,
error:r,duration:o,times:s}){return l=>({...l,tools:[...l.tools,{call:e,name:t,text:n,result:i,error:r,duration:o,times:s}]})}function Hc(e){let{stdout:t,result:n,
outputs:i,error:r,changed:o,is_final_answer:s,dropped:l,state_lost:u,duration:c,files:h=[],rolled_back:f=!1,places:g=[]}=e,m={stdout:t,result:n,outputs:i,error:r,
changed:o,is_final_answer:s,dropped:l,state_lost:u,duration:c,files:h,rolled_back:f,places:g};return d=>({...d,status:"done",output:"",outputs:[],observation:m})}
function qc(e){return e.status==="thinking"?{...e,status:"done"}:e}function Uc(e,t){let{state:n,steps:i,usage:r,duration:o,error:s,cut:l,receipt:u={}}=t,c=e.steps.
map(h=>Xc.has(h.status)?{...h,status:"cut"}:h);return{...e,steps:c,phase:"ended",ended:{state:n,steps:i,usage:r,duration:o,error:s,cut:l,receipt:u}}}function jc({
step:e,asked:t}){return`For step ${e} the model was asked for ${t} further idea${t===1?"":"s"}.`}function zc({packages:e,index:t}){return`Installed for this ses\
sion from ${t}: ${e.map(({name:n,version:i})=>`${n} ${i}`).join(", ")}.`}function Vc({grants:e,revoked:t=!1}){let n=e.map(({kind:i,name:r,scope:o})=>`${i} ${r},\
 ${Gc[o]??o}`);return`${t?"Taken back":"Allowed by you"}: ${n.join(", ")}.`}function Wc(e,t){let n=e.steps.map(i=>i.n>t.step?{...i,undone:!0}:i);return{...e,steps:n,
notices:[...e.notices,{step:t.step,text:Kc(t)}]}}function Kc({step:e,how:t,differs:n,uncovered:i,stays:r}){let l=[`${e>0?`What ran after step ${e}`:"This run"} \
was taken back: ${t==="copy"?"a copy of the sandbox took over":"the steps before it ran once more in a new sandbox"}.`];return n.length>0&&l.push(`Run again, th\
ese steps printed something else: ${n.join(", ")}.`),i!==""&&l.push(`The files in the work folder stay as they are: ${i}.`),l.push("What was pulled into the not\
ebook or kept as a file stays."),r.length>0&&l.push(`This stays, too: ${r.join("; ")}.`),l.join(" ")}var Gc={once:"once",run:"for this run",session:"for this se\
ssion",notebook:"for this notebook"},Xc=new Set(["thinking","pending","allowed","running"]);function Yc(e){return`The output of ${e.length===1?`step ${e[0]}`:`s\
teps ${e.join(", ")}`} is no longer shown to the model: the history outgrew its prompt.`}var Et=class{constructor(t){this.sync=t}sync;state=bn;pending=null;link="connecting";verdict=null;cells=null;saved=null;reply=null;library=null;last=0;listeners=new Set;listen(t){
return this.listeners.add(t),()=>this.listeners.delete(t)}receive(t){if(t.type==="json")return this.receive(JSON.parse(t.text));if(t.type==="verdict")this.verdict=
{id:t.id,ok:t.ok,why:t.why};else if(t.type==="cells")this.cells=t;else if(t.type==="record")this.saved=t;else if(t.type==="reply")this.reply=t;else if(t.type===
"library")this.library=t;else if(t.type==="snapshot")this.takeSnapshot(t);else if(!this.takeNumbered(t))return;t.type!=="snapshot"&&(this.link=this.state.ended===
null?"live":"over"),this.notify()}restore(t){t===""||this.state.ended!==null||(this.state=yt(JSON.parse(t)),this.pending=null,this.link="over",this.notify())}markDead(){
this.link!=="over"&&(this.link="dead",this.notify())}takeNumbered(t){return!Number.isInteger(t.seq)||t.seq<=this.last?!1:t.seq>this.last+1?(this.sync(),!1):(this.
last=t.seq,t.type==="event"&&(this.state=vt(this.state,t.event)),t.type==="delta"&&(this.state=wt(this.state,t.delta)),t.type==="pending"&&(this.pending=t.pending),
this.state.ended!==null&&(this.pending=null),!0)}takeSnapshot(t){t.seq<this.last||(this.last=t.seq,this.state=Zc(this.state,yt(t.events,t.deltas)),this.pending=
t.pending,this.link=t.live&&this.state.ended===null?"live":"over")}notify(){for(let t of[...this.listeners])t()}};function Zc(e,t){let n=t.steps.map((i,r)=>{let o=e.
steps[r];return o!==void 0&&JSON.stringify(o)===JSON.stringify(i)?o:i});return{...t,steps:n}}var Jc=500,Qc=4e3,kn=class{constructor(t){this.model=t;t.on("msg:custom",(n,i)=>this.receive(n,i)),t.on("change:snapshot",()=>this.restore()),t.on("comm:close",
()=>this.feed.markDead()),t.on("comm_live_update",()=>this.reconnect()),this.restore(),ed().then(n=>this.user=n)}model;feed=new Et(()=>this.sync());syncedAt=Number.
NEGATIVE_INFINITY;answers=0;user="";send(t){try{return this.model.send(t),!0}catch{return this.feed.markDead(),!1}}ready(){this.send({type:"ready"}),setTimeout(
()=>this.feed.link==="connecting"&&this.feed.markDead(),Qc)}post={answer:(t,n)=>{let i=this.newId();return this.send({type:"answer",id:i,...t,...n,...this.user===
""?{}:{user:this.user}}),i},stop:t=>this.send({type:"stop",run:t}),export:t=>this.ask("export",t),record:t=>this.ask("record",t),request:(t,n,i="")=>this.ask(t,
n,i),library:t=>{this.send({type:"library",name:t})},picture:t=>{this.send({type:"picture",...t})}};ask(t,n,i=""){let r=this.newId();return this.send({type:t,id:r,
run:n,...i===""?{}:{choice:i}})?r:""}newId(){return`${Date.now().toString(36)}-${++this.answers}`}receive(t,n=[]){if(typeof t!="object"||t===null)return;let[i]=n;
t.type!=="library"||i===void 0?this.feed.receive(t):td(i).then(r=>this.feed.receive({...t,code:r}))}restore(){let t=this.model.get("snapshot");typeof t=="string"&&
this.feed.restore(t)}reconnect(){this.feed.markDead(),this.sync()}sync(){let t=performance.now();t-this.syncedAt<Jc||(this.syncedAt=t,this.send({type:"sync"}))}};
async function ed(){try{let t=JSON.parse(document.getElementById("jupyter-config-data")?.textContent??"{}").baseUrl;if(typeof t!="string")return"";let n=await fetch(
new URL(`${t.replace(/\/?$/,"/")}api/me`,location.href),{credentials:"same-origin"}),{identity:i}=await n.json(),[r,o]=[i?.display_name,i?.username].map(s=>typeof s==
"string"?s:"");return r===o||!o?r??"":`${r} (${o})`}catch{return""}}async function td(e){return new Response(new Blob([e]).stream().pipeThrough(new DecompressionStream(
"gzip"))).text()}function nd(){let e=null,t=n=>e??=new kn(n);return{initialize({model:n}){t(n).send({type:"init"})},render({model:n,el:i}){let{feed:r,post:o}=t(
n),s=new AbortController,l=new gt(r,o,s.signal),u=r.listen(()=>l.update());return i.append(l.el),t(n).ready(),()=>{s.abort(),u(),l.el.remove()}}}}export{nd as default};
