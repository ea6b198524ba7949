#compdef browse
# Generated from the registry by go generate ./... DO NOT EDIT.
_browse() {
  local -a verbs
  verbs=(
    'goto:Open an address in the tab'
    'back:Go to the earlier page of the tab'\''s history'
    'forward:Go to the later page of the tab'\''s history'
    'reload:Load the page again'
    'url:Print the address of the page'
    'snapshot:List what is on the page, with refs'
    'text:Print what a person would read on the page'
    'html:Print the HTML of the page or of an element'
    'links:List the links of the page'
    'click:Click an element'
    'fill:Set the value of a field'
    'type:Type text into the focused element, key by key'
    'press:Press a key or a chord'
    'wait:Wait until the page is as asked'
    'js:Evaluate JavaScript in the page'
    'screenshot:Take a picture of the page, of its window or of an element'
    'tabs:List the open tabs'
    'tab:Make a tab the session'\''s current one'
    'newtab:Open a tab and make it the session'\''s current one'
    'closetab:Close a tab'
    'chain:Run several commands in one call'
    'status:Describe the daemon of this workspace'
    'stop:Stop the daemon and its browser'
    'restart:Stop the daemon and start a fresh one'
    'doctor:Say what is missing on this machine, and the command that fixes it'
    'help:List the commands, or explain one'
  )
  if (( CURRENT == 2 )); then
    _describe command verbs
    return
  fi
  case ${words[2]} in
    goto) _arguments '--fail[fail when the server answers with 4xx or 5xx]' '*:file:_files' ;;
    back) _arguments '*:file:_files' ;;
    forward) _arguments '*:file:_files' ;;
    reload) _arguments '*:file:_files' ;;
    url) _arguments '*:file:_files' ;;
    snapshot) _arguments '--interactive[only what can be acted on]' '--compact[leave out structure without a name]' '--cursor-interactive[add elements that are clickable by cursor or handler, as @c refs]' '--depth[leave out what is deeper than N, 0 is the top]' '--selector[start at this ref or selector]' '--urls[add the address of links]' '--all[include hidden elements, marked]' '*:file:_files' ;;
    text) _arguments '*:file:_files' ;;
    html) _arguments '*:file:_files' ;;
    links) _arguments '*:file:_files' ;;
    click) _arguments '--button[mouse button]' '--count[number of clicks, 2 is a double click]' '--modifiers[keys held meanwhile, such as Control+Shift]' '--force[click at its middle without the checks]' '*:file:_files' ;;
    fill) _arguments '*:file:_files' ;;
    type) _arguments '*:file:_files' ;;
    press) _arguments '--target[focus this ref or selector first]' '*:file:_files' ;;
    wait) _arguments '--state[what the target must become]' '--text[until the page shows this text]' '--url[until the address matches; * stands for anything]' '--fn[until this expression is truthy]' '--load[until the load event]' '--domcontentloaded[until the document has been parsed]' '--networkidle[until no request has run for 500 ms]' '*:file:_files' ;;
    js) _arguments '*:file:_files' ;;
    screenshot) _arguments '--selector[take this element]' '--viewport[only what the window shows]' '--clip[only this part of the page, in CSS pixels]' '--base64[print a data  URL instead of writing a file]' '--no-limit[do not scale a long page down]' '*:file:_files' ;;
    tabs) _arguments '*:file:_files' ;;
    tab) _arguments '*:file:_files' ;;
    newtab) _arguments '*:file:_files' ;;
    closetab) _arguments '*:file:_files' ;;
    chain) _arguments '--continue[go on after a step that failed]' '*:file:_files' ;;
    status) _arguments '*:file:_files' ;;
    stop) _arguments '*:file:_files' ;;
    restart) _arguments '*:file:_files' ;;
    doctor) _arguments '*:file:_files' ;;
    help) _arguments '*:file:_files' ;;
  esac
}
_browse "$@"
