package dataset

import "strings"

// verdict is the meaning of a column's value for its line.
type verdict uint8

const (
	unknownEvent verdict = iota
	isLike
	notLike
)

// Events and states as shops, players and analytics write them, in plain form (plainName): likes, and the rest.
// The words after the first group are German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Turkish and
// Russian.
var (
	likeEvents = words(`
		view views viewed pageview screenview contentview productview viewitem viewcontent viewproduct itemview
		detailview impressionclick visit visited open opened read reading click clicks clicked clickthrough tap select
		selectitem selectcontent selectpromotion itemclick productclick
		cart addtocart carted addcart cartadd addtobasket basket addtobag addtolist wishlist addtowishlist
		wishlistadd favorite favorited favourite favourited fav save saved bookmark bookmarked collect pin like liked
		love loved upvote upvoted thumbsup thumbup star starred positive recommend follow followed subscribe
		subscribed share shared comment commented rate rated review reviewed
		checkout begincheckout initiatecheckout checkoutstarted addpaymentinfo addshippinginfo viewcart
		buy bought purchase purchased purchases ordered order ordercreated orderplaced orderpaid ordercompleted
		productpurchased transaction sale sold conversion
		completed complete finished done success successful succeeded paid partiallypaid authorized authorised
		captured settled processing processed pending pendingpayment awaitingpayment onhold hold confirmed approved
		accepted open new active placed invoiced ready shipped partiallyshipped dispatched intransit
		outfordelivery delivered fulfilled partiallyfulfilled partial unfulfilled closed received partiallyrefunded
		restocked released renewed downloaded download play played playing plays stream streamed listen listened
		scrobble watch watched watching consumed rent rented rental borrowed borrow checkedout loan loaned reserve
		reserved reservation book booked booking attended registered enroll enrolled enrolment completedlesson
		install installed apply applied print get
		gekauft kauf bestellt bestellung bezahlt teilweisebezahlt abgeschlossen fertig erledigt versendet versandt
		verschickt geliefert zugestellt offen inbearbeitung bearbeitung inwartestellung wartend angesehen ansicht
		aufruf seitenaufruf klick warenkorb indenwarenkorb merkliste wunschzettel gelesen gehoert gesehen
		ausgeliehen gefaellt gefallt gefaelltmir
		achat achete commande paye payee termine terminee expedie expediee livre livree encours enattente vue vu clic
		panier ajoutaupanier favori favoris lu ecoute emprunte
		compra comprado pedido pagado pagada completado completada enviado enviada entregado entregada procesando
		pendiente vista visto clic carrito favorito leido
		acquisto acquistato ordine pagato completato spedito consegnato inlavorazione inattesa visualizzazione
		carrello preferito letto
		pago concluido enviada entregue processando pendente visualizacao carrinho
		gekocht aankoop bestelling betaald afgerond verzonden geleverd inbehandeling bekeken winkelwagen gelezen
		kop kopt betald slutford skickad levererad visning varukorg
		zakup kupiono oplacone zrealizowane wyslane dostarczone wyswietlenie koszyk
		satinalma satinalindi odendi tamamlandi kargolandi teslimedildi goruntuleme sepet
		покупка куплено заказ оплачен оплачено выполнен выполнено завершен завершено отправлен доставлен доставлено
		просмотр корзина избранное лайк клик 购买 浏览 点击 收藏 加购 已完成 已支付 pv fav cart buy`)
	notLikeEvents = words(`
		removefromcart removefrombasket removefrombag removefromwishlist removefromlist cartremove removeitem removed
		remove uncart unsave unsaved unbookmark unfavorite unfavourite unlike unliked unpin unstar unfollow
		unsubscribe unsubscribed delete deleted undo
		dislike disliked dislikes hate hated downvote downvoted thumbsdown thumbdown negative notinterested
		dontlike dontrecommend hide hidden block blocked mute muted skip skipped skiptrack report reported flag
		flagged ignore ignored dismiss dismissed
		refund refunded refunds fullyrefunded refundrequested return returned returns returnrequested exchanged
		cancel cancelled canceled cancellation cancelledbycustomer ordercancelled ordercanceled void voided
		fail failed failure error paymentfailed declined denied rejected refused expired lapsed abandoned
		abandonedcart abandonedcheckout checkoutdraft draft autodraft trash spam fraud test chargeback chargedback
		disputed dispute lost undeliverable unpaid reversed revoked bounced bounce
		scroll scrolled scrolldepth userengagement engagement sessionstart sessionend firstvisit firstopen
		appremove appupdate osupdate
		heartbeat ping pageleave pagehide exit impression impressions impress exposure exposed
		shown show display displayed served viewitemlist itemlistview viewpromotion viewsearchresults search
		searched query autocomplete suggestion filter sort hover mouseover login logout signup signin signout
		formstart formsubmit adclick adimpression ad exception crash debug timing
		videostart videoprogress pause paused stop stopped seek buffer buffering rebuffer mutevideo
		storniert storno stornierung erstattet rueckerstattet ruckerstattet erstattung gutgeschrieben gutschrift
		abgebrochen fehlgeschlagen gescheitert retourniert retoure ruecksendung rucksendung zurueckgegeben
		zuruckgegeben zurueckgesendet abgelehnt abgelaufen verworfen geloescht geloscht entfernt gekuendigt
		gefaelltnicht gefaelltmirnicht unbezahlt papierkorb entwurf uebersprungen ubersprungen
		annule annulee annulation rembourse remboursee remboursement echoue echouee retourne retournee retour refuse
		refusee expire expiree abandonne abandonnee supprime brouillon
		cancelado cancelada anulado anulada reembolsado reembolsada reembolso fallido fallida devuelto devuelta
		devolucion rechazado rechazada caducado eliminado borrador
		annullato annullata rimborsato rimborsata rimborso fallito fallita reso restituito rifiutato scaduto eliminato
		falhou malsucedido devolvido devolvida devolucao recusado expirado estornado
		geannuleerd terugbetaald mislukt geretourneerd geweigerd verlopen verwijderd
		avbruten annullerad aterbetald misslyckad returnerad makulerad
		anulowane anulowano zwrocone zwrot nieudane odrzucone wygaslo
		iptal iptaledildi iadeedildi iade basarisiz reddedildi
		отменен отменено отмена возврат возвращен возвращено отказ отклонен неудача неудачно дизлайк удалено удален
		退款 已退款 取消 已取消 退货 失败 跳过`)
	// Words that make an event something other than a like, wherever they occur in its name, unless the whole name is
	// known.
	notLikeParts = words(`remove removed delete deleted cancel cancelled canceled refund refunded return returned
		unlike dislike disliked downvote void voided fail failed failure error declined rejected denied expired
		abandoned unsubscribe unfollow unfavorite block blocked hide hidden skip skipped chargeback storniert storno
		erstattet retoure annule rembourse cancelado reembolsado annullato rimborsato impression scroll`)
	// Parts that make a name of several words a like if it has no part in notLikeParts: product_viewed, click_item.
	likeParts = words(`view viewed pageview click clicked purchase purchased buy bought cart wishlist favorite
		favorited play played listen watch watched read bookmark order ordered paid completed delivered shipped
		fulfilled download downloaded`)
)

// Names of columns of events and states, in plain form. A column of states is used only if some values are known.
var (
	eventNames = words(`event events eventname eventtype eventaction eventkind action actiontype actionname useraction
		activity activitytype behavior behaviour behaviortype behaviourtype behavioral interaction interactiontype
		feedbacktype signal signaltype verb operation op
		ereignis aktion vorgang evenement accion evento azione acao actie handling акция событие действие 行为 事件
		行为类型 behaviortype`)
	stateNames = words(`status orderstatus orderstate state financialstatus paymentstatus paymentstate fulfillmentstatus
		fulfilmentstatus deliverystatus shippingstatus transactionstatus transactiontype lineitemstatus itemstatus
		orderitemstatus lineitemfulfillmentstatus rentalstatus loanstatus bookingstatus
		bestellstatus zahlungsstatus auftragsstatus lieferstatus zustand statut statutcommande etat estado
		estadodelpedido estadopedido stato statoordine situacao statusdopedido tila статус статусзаказа 状态 订单状态
		type kind eventcategory outcome result`)
	// In these and in eventNames, unknown values raise a question.
	orderStates = words(`orderstatus orderstate financialstatus paymentstatus paymentstate transactionstatus
		transactionstate bestellstatus zahlungsstatus auftragsstatus statutcommande statusdopedido estadopedido
		statoordine статусзаказа 订单状态`)
	// In these, unknown values are likes: they say how far the goods are on their way.
	sentNames = words(`fulfillmentstatus fulfilmentstatus lineitemfulfillmentstatus deliverystatus shippingstatus
		lieferstatus`)
	// A yes in one of these columns means that the line is not a like.
	flagNames = words(`refunded isrefunded wasrefunded cancelled iscancelled canceled iscanceled cancelledflag
		returned isreturned return isreturn refund isrefund voided isvoided void isvoid deleted isdeleted
		removed isremoved skipped skip isskipped disliked
		isdisliked failed isfailed fraud isfraud istest testorder isbot bot crawler iscrawler
		storniert erstattet retourniert geloscht geloescht annule rembourse retourne cancelado reembolsado devuelto
		annullato rimborsato reso`)
	// So does any value in one of these, such as the date of a cancellation.
	filledNames = words(`cancelledat canceledat cancelledon canceledon cancelleddate canceleddate cancellationdate
		cancelreason cancelledreason refundedat refundedon refunddate voidedat deletedat removedat returnedat
		returnedon returndate stornodatum storniertam erstattetam annulele datedannulation canceladoel annullatoil`)
)

// eventOf returns the verdict on an event or a state.
func eventOf(value string) verdict {
	plain := strings.TrimPrefix(plainName(value), "wc") // WooCommerce's wc-completed
	switch {
	case likeEvents[plain]:
		return isLike
	case notLikeEvents[plain]:
		return notLike
	}
	v := unknownEvent
	parts := nameWords(value)
	if len(parts) < 2 || len(parts) > 5 {
		return v
	}
	for _, w := range parts {
		switch {
		case notLikeParts[w]:
			return notLike
		case likeParts[w]:
			v = isLike
		}
	}
	return v
}
